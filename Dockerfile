# The image has Node, what it loads, and the service; no shell, no npm, nothing that only the build needs.
ARG NODE_IMAGE=node:24.20.0-bookworm-slim@sha256:ba849c60be29959425b8734d57b8b4b7d56f98edd9504c9af091d5281095a71e

# The build needs the compiler and the sources; the service needs neither.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src src
COPY workers workers
COPY clients/typescript/src clients/typescript/src
COPY sql sql
COPY deploy/image/prune.mjs deploy/image/
RUN npm run build && npm prune --omit=dev && node deploy/image/prune.mjs node_modules && rm dist/.tsbuildinfo

FROM ${NODE_IMAGE} AS system
# tini runs as process 1 and passes signals on; as process 1, node could not kill itself when a native thread hangs.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates tini && rm -rf /var/lib/apt/lists/*
COPY deploy/image/system.sh /
RUN sh /system.sh /system && mkdir /data

FROM scratch
COPY --from=system /system /
COPY --from=system --chown=1000:1000 /data /data
ENV PATH=/usr/local/bin:/usr/bin NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
USER node
VOLUME /data
EXPOSE 3000
# Only images in Docker's own format keep it: `buildah build --format docker`. Compose and Kubernetes have checks of their own.
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/readyz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["tini", "--"]
# Newer versions of V8 double the young generation of each thread: 16 MB is the limit of Node 20.
CMD ["node", "--enable-source-maps", "--max-semi-space-size=16", "dist/src/server.js"]
