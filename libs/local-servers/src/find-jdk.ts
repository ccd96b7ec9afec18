import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail } from '@cairn/kernel';

export interface Jdk {
  readonly home: string;
  readonly version: number;
}

const JDK_VERSION_MIN = 21;
const INSTALL_FOLDERS = [
  { folder: '/usr/lib/jvm', home: '' },
  { folder: '/Library/Java/JavaVirtualMachines', home: 'Contents/Home' },
];

/**
 * The newest JDK in the usual places or on the PATH. A JDK that the caller names, such as JAVA_HOME, is used or rejected,
 * never replaced by another.
 */
export const findJdk = (javaHome?: string, usual: () => string[] = usualHomes): Jdk => {
  const candidates = javaHome ? [javaHome] : usual();
  const found = candidates.map(readJdk).filter((jdk) => jdk !== undefined);
  const best = found.sort((a, b) => b.version - a.version)[0];
  if (best && best.version >= JDK_VERSION_MIN) return best;
  const seen = found.map(({ home, version }) => `${home} (version ${version})`).join(', ') || 'none';
  const message =
    `OpenSearch needs a JDK (with javac) of version ${JDK_VERSION_MIN} or newer. Looked at: ${candidates.join(', ') || 'nothing'}; ` +
    `JDKs among them: ${seen}. Install one and set JAVA_HOME, or set OPENSEARCH_URL to a running server.`;
  throw fail('java.missing', message);
};

const usualHomes = (): string[] => [...homesOnPath(), ...installedHomes()];

const homesOnPath = (): string[] => {
  const javac = spawnSync('which', ['javac'], { encoding: 'utf8' }).stdout?.trim();
  return javac ? [dirname(dirname(realpathSync(javac)))] : [];
};

const installedHomes = (): string[] =>
  INSTALL_FOLDERS.filter(({ folder }) => existsSync(folder)).flatMap(({ folder, home }) =>
    readdirSync(folder).map((name) => join(folder, name, home)),
  );

/** Every JDK has a `release` file with its version, so it need not be started. */
const readJdk = (home: string): Jdk | undefined => {
  try {
    if (!existsSync(join(home, 'bin', 'javac'))) return undefined;
    const version = /^JAVA_VERSION="(\d+)/m.exec(readFileSync(join(home, 'release'), 'utf8'))?.[1];
    return version === undefined ? undefined : { home, version: Number(version) };
  } catch {
    return undefined;
  }
};
