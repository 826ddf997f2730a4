// @ts-check
import { posix } from 'node:path'
import { importsOf } from './imports-of.mjs'
import { fileName, isShipped, isSource, packageOf, SERVICES, serviceOf } from './places.mjs'

/**
 * Who may import whom (CONTRIBUTING.md#where-code-goes). A border names the files it guards and says of each import
 * what is wrong with it, or nothing.
 *
 * @typedef {{ rule: string, guards: (path: string) => boolean, wrong: (from: string, path: string, typeOnly: boolean) => string | undefined }} Border
 * @type {Border[]}
 */
const BORDERS = [
  {
    rule: 'service-imports-service',
    guards: (path) => serviceOf(path) !== undefined,
    wrong: (from, path) => {
      const other = workspaceName(from)
      return other && SERVICES.includes(other) && other !== serviceOf(path)
        ? `service ${serviceOf(path)} imports service ${other}: ask it over the bus`
        : undefined
    },
  },
  {
    rule: 'relative-import-leaves-package',
    guards: isSource,
    wrong: (from, path) => {
      if (!from.startsWith('.')) return undefined
      const target = posix.join(posix.dirname(path), from)
      return target.startsWith('..') || packageOf(target) !== packageOf(path)
        ? `${from} leaves the package: import it by its package name`
        : undefined
    },
  },
  {
    rule: 'platform-imports-workspace',
    guards: (path) => packageOf(path) === 'packages/platform' && isShipped(path),
    wrong: (from) => {
      const other = workspaceName(from)
      return other && other !== 'contracts'
        ? `platform imports ${from}: of the workspace it may know contracts alone`
        : undefined
    },
  },
  {
    rule: 'contracts-import',
    guards: (path) => packageOf(path) === 'packages/contracts' && isShipped(path),
    wrong: (from) =>
      from.startsWith('.') || isModule(from, 'zod') ? undefined : `contracts import ${from}: they depend on zod alone`,
  },
  {
    rule: 'price-file-import',
    guards: (path) => packageOf(path) === 'packages/price-file' && isShipped(path),
    wrong: (from) => {
      const outside = [
        'mongodb',
        '@nats-io',
        'nats',
        'fastify',
        'undici',
        'http',
        'https',
        'http2',
        '@nestjs',
        '@partsbus',
      ]
      return outside.some((name) => isModule(from.replace(/^node:/, ''), name))
        ? `price-file imports ${from}: it turns bytes to rows and is usable alone`
        : undefined
    },
  },
  {
    rule: 'nest-import',
    guards: (path) => isShipped(path) && packageOf(path) !== 'packages/platform',
    // injection and life cycle; transports, factories and testing stay behind the platform
    wrong: (from, path) =>
      isModule(from, '@nestjs') && !(serviceOf(path) && from === '@nestjs/common')
        ? `${from} is imported: outside the platform only services import Nest, and only @nestjs/common`
        : undefined,
  },
  {
    rule: 'mongodb-import',
    guards: (path) => isShipped(path) && packageOf(path) !== 'packages/platform',
    wrong: (from, path) =>
      isModule(from, 'mongodb') && !(serviceOf(path) && /(-store|(^|-)context)\.ts$/.test(fileName(path)))
        ? `${from} is imported outside *-store.ts and context.ts of a service`
        : undefined,
  },
  {
    rule: 'zod-import',
    guards: (path) => isShipped(path) && serviceOf(path) !== undefined,
    // a type is read off a schema of the contracts by z.infer
    wrong: (from, path, typeOnly) =>
      isModule(from, 'zod') && !typeOnly && !/(^|-)config\.ts$/.test(fileName(path))
        ? `${from} is imported by a service outside config.ts: schemas live in contracts`
        : undefined,
  },
]

/** @param {import('./places.mjs').File[]} files @returns {import('./places.mjs').Violation[]} */
export function checkBorders(files) {
  return files
    .filter((file) => isSource(file.path))
    .flatMap((file) => {
      const borders = BORDERS.filter((border) => border.guards(file.path))
      return importsOf(file.text).flatMap(({ from, line, typeOnly }) =>
        borders.flatMap((border) => {
          const message = border.wrong(from, file.path, typeOnly)
          return message ? [{ rule: border.rule, path: file.path, line, message }] : []
        }),
      )
    })
}

/** `stock` of `@partsbus/stock/anything`. @param {string} from */
const workspaceName = (from) => /^@partsbus\/([^/]+)/.exec(from)?.[1]

/** @param {string} from @param {string} name a package or a scope */
const isModule = (from, name) => from === name || from.startsWith(`${name}/`)
