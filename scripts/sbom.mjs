// node scripts/sbom.mjs VERSION EPOCH: what Oyster is made of, as SPDX 2.3: the C libraries it is linked with, in the
// versions that pkg-config knows here, and the npm packages of which code is in the page (web/package-lock.json).
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [version, epoch] = process.argv.slice(2);
const unknown = "NOASSERTION";
const root = join(import.meta.dirname, "..");

// Libraries without a pkg-config file say their version in a header.
const libraries = [
  ["hiredis", "hiredis", "BSD-3-Clause"],
  ...(installed("hiredis_ssl") === unknown // it is what asks for libssl
    ? []
    : [
        ["hiredis-ssl", "hiredis_ssl", "BSD-3-Clause"],
        ["libssl", "libssl", "Apache-2.0"],
      ]),
  ["jansson", "jansson", "MIT"],
  ["libcrypto", "libcrypto", "Apache-2.0"],
  ["libcurl", "libcurl", "curl"],
  ["libsodium", "libsodium", "ISC"],
  ["libuv", "libuv", "MIT"],
  ["liburing", "liburing", "MIT OR LGPL-2.1-only"],
  ["libutf8proc", "libutf8proc", "MIT"],
  ["sqlite3", "sqlite3", "blessing"],
  ["zlib", "zlib", "Zlib"],
  ["wslay", /WSLAY_VERSION "(.*)"/, "MIT", "wslay/wslayver.h"],
  installed("libllhttp") === unknown
    ? ["http-parser", /VERSION_MAJOR (\d+).*VERSION_MINOR (\d+).*VERSION_PATCH (\d+)/s, "MIT", "http_parser.h"]
    : ["llhttp", "libllhttp", "MIT"],
  ["uthash", /UTHASH_VERSION (\S+)/, "BSD-1-Clause", "uthash.h"],
];

function installed(name, header) {
  try {
    if (header)
      return name
        .exec(readFileSync(join("/usr/include", header), "utf8"))
        .slice(1)
        .join(".");
    return execFileSync("pkg-config", ["--modversion", name], { encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return unknown;
  }
}

const lock = JSON.parse(readFileSync(join(root, "web/package-lock.json"), "utf8"));
const inPage = Object.entries(lock.packages)
  .filter(([path, one]) => path !== "" && !one.dev && !one.optional)
  .map(([path, one]) => ({
    name: path.replace(/^.*node_modules\//, ""),
    version: one.version,
    license: one.license ?? "NOASSERTION",
    purl: `pkg:npm/${path.replace(/^.*node_modules\//, "").replace("@", "%40")}@${one.version}`,
  }));

const parts = [
  ...libraries.map(([name, found, license, header]) => ({ name, version: installed(found, header), license })),
  ...inPage,
].map((part) => ({
  SPDXID: `SPDXRef-${part.name.replace(/[^A-Za-z0-9.-]/g, "-")}`,
  name: part.name,
  versionInfo: part.version,
  downloadLocation: "NOASSERTION",
  filesAnalyzed: false,
  licenseConcluded: "NOASSERTION",
  licenseDeclared: part.license,
  copyrightText: "NOASSERTION",
  ...(part.purl && {
    externalRefs: [{ referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: part.purl }],
  }),
}));

const self = {
  SPDXID: "SPDXRef-oyster",
  name: "oyster",
  versionInfo: version,
  downloadLocation: "NOASSERTION",
  filesAnalyzed: false,
  licenseConcluded: "MIT",
  licenseDeclared: "MIT",
  copyrightText: "2026 The Oyster authors",
};

console.log(
  JSON.stringify(
    {
      spdxVersion: "SPDX-2.3",
      dataLicense: "CC0-1.0",
      SPDXID: "SPDXRef-DOCUMENT",
      name: `oyster-${version}`,
      documentNamespace: `https://spdx.org/spdxdocs/oyster-${version}-${epoch}`,
      creationInfo: {
        created: new Date(Number(epoch) * 1000).toISOString().replace(".000", ""),
        creators: ["Tool: scripts/sbom.mjs"],
      },
      packages: [self, ...parts],
      relationships: [
        { spdxElementId: "SPDXRef-DOCUMENT", relationshipType: "DESCRIBES", relatedSpdxElement: self.SPDXID },
        ...parts.map((part) => ({
          spdxElementId: self.SPDXID,
          relationshipType: "DEPENDS_ON",
          relatedSpdxElement: part.SPDXID,
        })),
      ],
    },
    null,
    2,
  ),
);
