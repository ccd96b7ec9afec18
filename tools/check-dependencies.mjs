// Every project declares exactly what it imports, and every package has one exact version in the whole workspace. An
// image installs these declarations, so an undeclared import would fail only in production.
import { builtinModules } from 'node:module';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readManifest, readProjects, ROOT } from './workspace.mjs';

/**
 * @typedef {import('./workspace.mjs').Manifest} Manifest
 * @typedef {import('./workspace.mjs').Project} Project
 * @typedef {{
 *   bin?: string | Record<string, string>,
 *   peerDependencies?: Record<string, string>,
 *   peerDependenciesMeta?: Record<string, { optional?: boolean }>,
 * }} InstalledManifest
 */

/** The package of an import, or undefined for a relative path and a Node built-in. @param {string} specifier */
export const packageOf = (specifier) => {
  if (specifier.startsWith('.') || specifier.startsWith('node:') || builtinModules.includes(specifier))
    return undefined;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
};

/** @param {Project} project @param {boolean} isTest @returns {Set<string>} */
const importedBy = (project, isTest) =>
  new Set(
    project.files
      .filter((file) => file.isTest === isTest)
      .flatMap((file) => file.imports.flatMap((specifier) => packageOf(specifier) ?? []))
      .filter((name) => name !== project.manifest.name),
  );

/** @param {string} name */
const installed = (name) => {
  const path = join(ROOT, 'node_modules', name, 'package.json');
  return /** @type {InstalledManifest} */ (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {});
};

/** @param {string} name */
const peersOf = (name) => {
  const { peerDependencies = {}, peerDependenciesMeta = {} } = installed(name);
  return Object.keys(peerDependencies).map((peer) => ({ peer, isOptional: peerDependenciesMeta[peer]?.optional }));
};

/** @param {Manifest} manifest */
const declaredBy = ({ dependencies = {}, devDependencies = {} }) =>
  Object.keys({ ...dependencies, ...devDependencies });

/** @param {Manifest} manifest */
const missingPeers = (manifest) => {
  const declared = declaredBy(manifest);
  return declared.flatMap((name) =>
    peersOf(name)
      .filter(({ peer, isOptional }) => !isOptional && !declared.includes(peer))
      .map(({ peer }) => `${peer} is not declared, but ${name} needs it as a peer`),
  );
};

/**
 * A declared package also counts as used if it is the peer of another one, or has the types of an imported one.
 * @param {string} name @param {string[]} declared @param {Set<string>} imported
 */
const isUsed = (name, declared, imported) =>
  imported.has(name) ||
  (name.startsWith('@types/') && imported.has(name.slice('@types/'.length))) ||
  declared.some((other) => peersOf(other).some(({ peer }) => peer === name));

/** @param {Project} project @returns {string[]} */
export const problemsOf = (project) => {
  const { dependencies = {}, devDependencies = {} } = project.manifest;
  const product = importedBy(project, false);
  const everywhere = new Set([...product, ...importedBy(project, true)]);
  const declared = declaredBy(project.manifest);
  const problems = [
    ...[...product].filter((name) => !(name in dependencies)).map((name) => `imports ${name}, not in dependencies`),
    ...[...everywhere]
      .filter((name) => !declared.includes(name))
      .map((name) => `imports ${name}, not in devDependencies`),
    ...Object.keys(dependencies)
      .filter((name) => !isUsed(name, Object.keys(dependencies), product))
      .map((name) => `dependencies has ${name}, which the product code does not import`),
    ...Object.keys(devDependencies)
      .filter((name) => !isUsed(name, declared, everywhere))
      .map((name) => `devDependencies has ${name}, which no test imports`),
    ...missingPeers(project.manifest),
  ];
  return [...new Set(problems)].map((problem) => `${project.dir}: ${problem}`);
};

/** The root has no source: scripts and configuration files refer to its tools. @param {Manifest} root */
const problemsOfRoot = (root) => {
  const configuration = readdirSync(ROOT).filter((name) => /\.mjs$|^tsconfig.*\.json$/.test(name));
  const text = [
    Object.values(root.scripts ?? {}),
    ...configuration.map((name) => readFileSync(join(ROOT, name), 'utf8')),
  ]
    .flat()
    .join('\n');
  const declared = declaredBy(root);
  const isNamed = (/** @type {string} */ name) => {
    const { bin = {} } = installed(name);
    const words = [name, name.replace(/^@types\//, ''), ...(typeof bin === 'string' ? [] : Object.keys(bin))];
    return words.some((word) => new RegExp(`(^|[^\\w@/-])${word}($|[^\\w/-])`, 'm').test(text));
  };
  return [
    ...declared
      .filter((name) => !isNamed(name) && !isUsed(name, declared, new Set()))
      .map((name) => `package.json: ${name} is used by no script and no configuration file`),
    ...missingPeers(root).map((problem) => `package.json: ${problem}`),
  ];
};

/** @param {Manifest[]} manifests */
export const versionProblems = (manifests) => {
  const own = new Map(manifests.map(({ name, version }) => [name, version]));
  const declarations = manifests.flatMap(({ name: by, dependencies, devDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies }).map(([name, version]) => ({ by, name, version })),
  );
  /** @type {Record<string, string>} */
  const first = Object.fromEntries(declarations.map(({ name, version }) => [name, version]).reverse());
  return declarations.flatMap(({ by, name, version }) => {
    const wanted = own.get(name) ?? first[name];
    if (!/^\d/.test(version)) return `${by}: ${name} has the range ${version}; write an exact version`;
    return version === wanted ? [] : `${by}: ${name} is ${version} here and ${wanted} elsewhere`;
  });
};

export const checkDependencies = () => {
  const projects = readProjects();
  const root = readManifest('.');
  return [
    ...projects.flatMap(problemsOf),
    ...problemsOfRoot(root),
    ...versionProblems([root, ...projects.map(({ manifest }) => manifest)]),
  ];
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = checkDependencies();
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
  console.log('dependencies: every project declares what it imports');
}
