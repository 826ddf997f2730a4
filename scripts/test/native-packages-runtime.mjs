// @ts-check
import { createRequire } from 'node:module'
import { sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compileFunction, SyntheticModule } from 'node:vm'

/*
 * Jest loads every module of every spec file anew. Here it does so with the modules of this repository, while packages
 * are loaded by Node itself, once for all spec files of a process
 * (docs/decisions/0031-native-packages-in-specs.md). All run in one realm, that of NativeEnvironment, so values of
 * packages are instances of the same classes as those of the specs.
 */
const { default: Runtime } = createRequire(createRequire(import.meta.url).resolve('jest-runner'))('jest-runtime')

/** Modules of packages by path. @type {Map<string, Promise<SyntheticModule>>} */
const loaded = new Map()

/** Packages with state of their own that a spec file may change: how to reset it. @type {Record<string, Function>} */
const RESET = {
  '@opentelemetry/api': (/** @type {Record<string, {disable: () => void}>} */ api) => {
    for (const name of ['trace', 'context', 'propagation', 'metrics', 'diag']) api[name]?.disable()
  },
  zod: (/** @type {{globalRegistry: {clear: () => void}}} */ { globalRegistry }) => globalRegistry.clear(),
}
/** @type {Map<string, () => void>} */
const resets = new Map()

export default class NativePackagesRuntime extends Runtime {
  /** @param {unknown[]} args */
  constructor(...args) {
    super(...args)
    const { esmLoader, executor, _resolution: resolution } = this
    // undefined: the realm of this process
    esmLoader.getContext = () => undefined
    executor.compile = (/** @type {string} */ source, /** @type {string} */ filename) =>
      compileFunction(source, executor.injectedModuleParameters, { filename })
    // Jest has a second loader, for Node 24.9 and later, which does not ask resolveModule
    resolution.hasDistinctAsyncResolver = () => true
    const resolveModule = esmLoader.resolveModule.bind(esmLoader)
    /** @type {(specifier: string, from: string, context: unknown) => Promise<unknown>} */
    esmLoader.resolveModule = async (specifier, from, context) => {
      if (isPackage(specifier)) {
        const path = await resolution.resolveEsmAsync(from, specifier)
        if (path.includes(`${sep}node_modules${sep}`)) return loadOnce(specifier, path)
      }
      return resolveModule(specifier, from, context)
    }
  }

  teardown() {
    super.teardown()
    for (const reset of resets.values()) reset()
  }
}

/** @param {string} specifier */
function isPackage(specifier) {
  return specifier !== '@jest/globals' && !/^(\.|\/|[a-z]+:)/.test(specifier)
}

/** @param {string} specifier @param {string} path */
function loadOnce(specifier, path) {
  const module = loaded.get(path) ?? load(specifier, path)
  loaded.set(path, module)
  return module
}

/** @param {string} specifier @param {string} path */
async function load(specifier, path) {
  const exports = await import(pathToFileURL(path).href)
  const reset = RESET[specifier]
  if (reset) resets.set(specifier, () => reset(exports))
  const names = Object.keys(exports)
  const module = new SyntheticModule(names, () => {
    for (const name of names) module.setExport(name, exports[name])
  })
  await module.link(() => {
    throw new Error('a synthetic module has no imports')
  })
  await module.evaluate()
  return module
}
