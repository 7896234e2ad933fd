# guidepost as an image: `docker build -t guidepost .`, then `docker run --rm -v "$PWD:/work" guidepost check model.xml`.
FROM rust:1.95-slim-trixie AS build
RUN apt-get update && apt-get install --yes --no-install-recommends build-essential && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
# The commit, for `--version`: there is no git here. `--build-arg COMMIT=$(git rev-parse --short HEAD)`
ARG COMMIT=""
RUN GUIDEPOST_COMMIT="$COMMIT" cargo build --profile dist --locked -p guidepost-cli

FROM debian:trixie-slim
COPY --from=build /source/target/dist/guidepost /usr/local/bin/guidepost
RUN ln -s guidepost /usr/local/bin/verifyta && useradd --create-home guidepost
USER guidepost
WORKDIR /work
ENTRYPOINT ["guidepost"]
CMD ["--help"]
