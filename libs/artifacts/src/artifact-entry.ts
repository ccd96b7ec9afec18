/** One pinned file: `path` is its name in the cache, `pathInArchive` its place in a mirror's archive. */
export interface ArtifactFile {
  readonly path: string;
  readonly pathInArchive?: string;
  readonly sha256: string;
  readonly bytes?: number;
}

/** A whole archive, or the parts of it under some prefixes; paths and executable bits are preserved. */
export interface ArtifactTree {
  readonly prefixes?: readonly string[];
  /** Digest over the sorted lines `<sha256>  <path>`, for sources that are many files rather than one archive. */
  readonly sha256?: string;
}

/** Where to get it. Registries appear as coordinates only; the client's own configuration knows their addresses. */
export type Mirror =
  | { readonly kind: 'maven'; readonly coordinate: string }
  | { readonly kind: 'maven-pom'; readonly label: string; readonly pom: string }
  | { readonly kind: 'pypi'; readonly requirement: string; readonly platform?: string; readonly pythonVersion?: string }
  | { readonly kind: 'npm'; readonly spec: string }
  | { readonly kind: 'url'; readonly url: string; readonly timeoutMs?: number }
  | { readonly kind: 'path'; readonly path: string };

interface ArtifactBase {
  readonly name: string;
  readonly version: string;
  readonly archiveSha256?: string;
  readonly mirrors: readonly Mirror[];
  /** What a person can do when no mirror answers; ends the error message. */
  readonly advice: string;
}

export interface FilesArtifact extends ArtifactBase {
  readonly files: readonly ArtifactFile[];
}

export interface TreeArtifact extends ArtifactBase {
  readonly tree: ArtifactTree;
}

export type ArtifactEntry = FilesArtifact | TreeArtifact;

export const describeMirror = (mirror: Mirror): string => {
  switch (mirror.kind) {
    case 'maven':
      return `Maven ${mirror.coordinate}`;
    case 'maven-pom':
      return `Maven ${mirror.label}`;
    case 'pypi':
      return `PyPI ${mirror.requirement}`;
    case 'npm':
      return `npm ${mirror.spec}`;
    case 'url':
      return mirror.url;
    case 'path':
      return mirror.path;
  }
};
