# A real MariaDB server from Debian's packages, arranged like the official image, for machines that reach
# no image registry. Built by scripts/setup.mjs; FROM is what it made with debootstrap.
FROM whalemark-test/debian:trixie AS server

# The ids of the official image: data directories can change hands between the two.
RUN groupadd --system --gid 999 mysql \
 && useradd --system --uid 999 --gid mysql --home-dir /var/lib/mysql --no-create-home --shell /usr/sbin/nologin mysql

# Only the "core" packages: the others bring Debian's configuration and create a database while installing.
RUN apt-get update \
 && apt-get install -y --no-install-recommends mariadb-server-core mariadb-client-core \
 && apt-get clean \
 && rm -rf /var/lib/apt/lists/*

RUN rm -rf /etc/mysql /etc/my.cnf /var/lib/mysql \
 && install -d -o mysql -g mysql -m 1777 /var/lib/mysql /var/run/mysqld \
 && install -d /etc/mysql/conf.d /etc/mysql/mariadb.conf.d /docker-entrypoint-initdb.d
COPY mariadb.cnf /etc/mysql/my.cnf
RUN install -d -o mysql -g mysql /usr/local/share/whalemark-test \
 && mariadb-install-db --user=mysql --rpm --auth-root-authentication-method=normal --skip-test-db --skip-log-bin \
      --default-time-zone=SYSTEM --innodb-log-file-size=4M --datadir=/usr/local/share/whalemark-test/datadir
COPY entrypoint-common.sh /usr/local/lib/whalemark-test/
COPY mariadb-entrypoint.sh /usr/local/bin/docker-entrypoint.sh

VOLUME /var/lib/mysql
EXPOSE 3306
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["mariadbd"]

# A stage of its own, because only the installed server knows its version.
FROM server
ARG SERVER_MAJOR
ARG SERVER_VERSION
ARG RECIPE
ENV MARIADB_MAJOR=$SERVER_MAJOR MARIADB_VERSION=$SERVER_VERSION
LABEL org.opencontainers.image.title="MariaDB from Debian trixie, for Whalemark's tests" \
      org.opencontainers.image.description="Built from Debian packages for Whalemark's tests. This is not the official mariadb image and must not be used for anything else." \
      org.opencontainers.image.version=$SERVER_VERSION \
      io.whalemark.test-image=1 \
      io.whalemark.recipe=$RECIPE
