# Node from Debian's packages, arranged like the official image, for machines that reach no image registry: what client
# containers run in there. Built by scripts/setup.mjs; FROM is what it made with debootstrap.
FROM whalemark-test/debian:trixie AS server
RUN apt-get -o Acquire::Retries=3 update \
 && apt-get -o Acquire::Retries=3 install -y --no-install-recommends nodejs \
 && apt-get clean \
 && rm -rf /var/lib/apt/lists/*
CMD ["node"]

# A stage of its own, because only the installed package knows its version.
FROM server
ARG SERVER_VERSION
ARG RECIPE
ENV NODE_VERSION=$SERVER_VERSION
LABEL org.opencontainers.image.title="Node from Debian trixie, for Whalemark's tests" \
      org.opencontainers.image.description="Built from Debian packages for Whalemark's tests. This is not the official node image and must not be used for anything else." \
      org.opencontainers.image.version=$SERVER_VERSION \
      io.whalemark.test-image=1 \
      io.whalemark.recipe=$RECIPE
