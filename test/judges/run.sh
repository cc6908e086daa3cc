#!/bin/sh
# Has tools of others judge the documents of a running service. They are heavy, so they are no dependency of the project.
# Usage, in the project's folder: API=http://127.0.0.1:3000 KEY=<root key> sh test/judges/run.sh
# The service needs WEBHOOKS_ALLOW_PRIVATE=1 where no name on the Internet can be looked up.
set -u
DIR=$(mktemp -d)
cp .spectral.yaml .portman.yaml test/judges/*.mjs "$DIR"
cd "$DIR" || exit 1
npm install --no-save @stoplight/spectral-cli @stoplight/spectral-owasp-ruleset @redocly/cli @apideck/portman tslib \
  @asyncapi/parser openapi-typescript openapi-fetch @hey-api/openapi-ts typescript@5 || exit 1
curl -sSf "$API/openapi-shallow.json" -o openapi.json || exit 1
curl -sSf "$API/openapi.json" -o whole.json || exit 1
curl -sSf "$API/asyncapi.json" -o asyncapi.json || exit 1
FAILED=0
npx spectral lint openapi.json || FAILED=1
npx redocly lint --extends recommended-strict openapi.json || FAILED=1
npx redocly lint --extends recommended-strict whole.json || FAILED=1
node parse-asyncapi.mjs asyncapi.json || FAILED=1
node typed-programs.mjs whole.json || FAILED=1 # right programs compile, misspelt lines do not
node seed-document.mjs seeded.json || exit 1 # with examples of things that it creates
PORTMAN_BEARER_TOKEN=$KEY npx portman -l seeded.json -b "$API" -c .portman.yaml --no-warn -n true || FAILED=1
exit "$FAILED"
