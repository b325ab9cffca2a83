# A real MySQL server from Debian's packages, arranged like the official image, for machines that reach
# no image registry. Built by scripts/setup.mjs; FROM is what it made with debootstrap.
FROM whalemark-test/debian:sid AS server

# The ids of the official image: data directories can change hands between the two.
RUN groupadd --system --gid 999 mysql \
 && useradd --system --uid 999 --gid mysql --home-dir /var/lib/mysql --no-create-home --shell /usr/sbin/nologin mysql

# Only the "core" packages: the others bring Debian's configuration and create a database while installing.
RUN apt-get update \
 && apt-get install -y --no-install-recommends mysql-server-core mysql-client-core \
 && apt-get clean \
 && rm -rf /var/lib/apt/lists/* /usr/sbin/mysqld-debug \
 && find /usr/lib/mysql/plugin -name '*test*' -delete

RUN rm -rf /etc/mysql /etc/my.cnf /var/lib/mysql \
 && install -d -o mysql -g mysql -m 1777 /var/lib/mysql /var/run/mysqld \
 && install -d -o mysql -g mysql -m 0750 /var/lib/mysql-files \
 && install -d /etc/mysql/conf.d /docker-entrypoint-initdb.d
COPY mysql.cnf /etc/mysql/my.cnf
RUN install -d -o mysql -g mysql /usr/local/share/whalemark-test \
 && mysqld --initialize-insecure --user=mysql --default-time-zone=SYSTEM --innodb-redo-log-capacity=8M \
      --datadir=/usr/local/share/whalemark-test/datadir \
 && rm /usr/local/share/whalemark-test/datadir/auto.cnf
COPY entrypoint-common.sh /usr/local/lib/whalemark-test/
COPY mysql-entrypoint.sh /usr/local/bin/docker-entrypoint.sh

VOLUME /var/lib/mysql
EXPOSE 3306 33060
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["mysqld"]

# A stage of its own, because only the installed server knows its version.
FROM server
ARG SERVER_MAJOR
ARG SERVER_VERSION
ARG RECIPE
ENV MYSQL_MAJOR=$SERVER_MAJOR MYSQL_VERSION=$SERVER_VERSION
LABEL org.opencontainers.image.title="MySQL from Debian sid, for Whalemark's tests" \
      org.opencontainers.image.description="Built from Debian packages for Whalemark's tests. This is not the official mysql image and must not be used for anything else." \
      org.opencontainers.image.version=$SERVER_VERSION \
      io.whalemark.test-image=1 \
      io.whalemark.recipe=$RECIPE
