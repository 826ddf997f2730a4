// @ts-check
import { isSource, isTest } from './places.mjs'

const MAX_BYTES = 1_048_576
/** Hosts of package registries and mirrors, spelt in pieces so that this file does not find itself. */
const REGISTRY = new RegExp(
  [
    'registry\\.(npmjs|yarnpkg|npmmirror)',
    'npm\\.pkg\\.github',
    'proxy\\.golang',
    'sum\\.golang',
    '(files\\.)?pythonhosted',
    'pypi',
    '(deb|snapshot)\\.debian',
    'archive\\.ubuntu',
  ]
    .map((host) => `${host}\\.[a-z]+`)
    .join('|') + '|https?://[^/\\s"\']*(registry|artifactory|verdaccio|nexus)[^/\\s"\']*',
  'i',
)

/** Patterns that only real secrets match. */
const SECRETS = [
  { what: 'a private key', pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----/ },
  { what: 'a cloud access key', pattern: /\bAKIA[0-9A-Z]{16}\b/ },
  {
    what: 'a hosting token',
    pattern:
      /\b(gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{40,}|glpat-[\w-]{20}|xox[abp]-[\w-]{20,}|npm_[A-Za-z0-9]{36})\b/,
  },
]
/** Only in what ships or deploys: tests need passwords of their own. */
const PASSWORDS = [
  { what: 'a password in an address', pattern: /\b[a-z][a-z0-9+]*:\/\/[^\s:/@'"`<$]+:[^\s@'"`<${]+@(?!example\b)/ },
  {
    what: 'a literal password',
    pattern: /\b(?!example)\w*(password|passwd|secret|token)["']?\s*[:=]\s*(["'])(?![<$/{*.])[^"'\s]{8,}\2/i,
  },
]

/**
 * Secrets, hosts of registries and large files must not be in the tree.
 *
 * @param {import('./places.mjs').File[]} files
 * @returns {import('./places.mjs').Violation[]}
 */
export function checkTracked(files) {
  return files.flatMap((file) => {
    if (file.bytes > MAX_BYTES)
      return [{ rule: 'file-size', path: file.path, message: `${file.bytes} bytes, at most ${MAX_BYTES}` }]
    return file.path === 'pnpm-lock.yaml'
      ? lockfile(file)
      : [...matches(file, 'registry-host', [{ what: 'a package registry', pattern: REGISTRY }]), ...secrets(file)]
  })
}

/** A lockfile with a host installs nowhere else. @param {import('./places.mjs').File} file */
function lockfile(file) {
  return matches(file, 'lockfile-host', [{ what: 'a host', pattern: /:\/\/|tarball:/ }])
}

/** @param {import('./places.mjs').File} file */
function secrets(file) {
  const isCode = isSource(file.path)
    ? !isTest(file.path) && !/^(e2e|bench|packages\/local-stack|apps\/\w+\/src\/texts)\//.test(file.path)
    : /\.(ya?ml|conf|env|example|sh)$/.test(file.path)
  return matches(file, 'secret', isCode ? [...SECRETS, ...PASSWORDS] : SECRETS)
}

/**
 * @param {import('./places.mjs').File} file @param {string} rule @param {{ what: string, pattern: RegExp }[]} patterns
 * @returns {import('./places.mjs').Violation[]}
 */
function matches({ path, text }, rule, patterns) {
  return text
    .split('\n')
    .flatMap((content, at) =>
      patterns
        .filter(({ pattern }) => pattern.test(content))
        .map(({ what }) => ({ rule, path, line: at + 1, message: `contains ${what}` })),
    )
}
