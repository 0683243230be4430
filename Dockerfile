# An image to develop and test Obscura, and to run the command line, on x86-64 and arm64.
#
#   docker build --target tools -t obscura-tools .     Swift and the packages of CI/packages.txt
#   docker build -t obscura .                          also the command line: docker run obscura doctor
ARG IMAGE=swift:6.3-bookworm
FROM ${IMAGE} AS tools
COPY CI/setup CI/packages.txt /usr/local/share/obscura/
RUN /usr/local/share/obscura/setup && rm -rf /var/lib/apt/lists/*
WORKDIR /obscura

FROM tools
COPY . .
RUN swift build --product obscura
ENV PATH="/obscura/.build/debug:${PATH}"
ENTRYPOINT ["obscura"]
