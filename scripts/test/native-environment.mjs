// @ts-check
import { createRequire } from 'node:module'

const requireLikeJest = createRequire(createRequire(import.meta.url).resolve('jest-environment-node'))
const { LegacyFakeTimers, ModernFakeTimers } = requireLikeJest('@jest/fake-timers')
const { ModuleMocker } = requireLikeJest('jest-mock')

/**
 * Runs specs in the realm of the process instead of one of their own, together with the packages that
 * native-packages-runtime.mjs shares between spec files. After each spec file, what it changed of the process is
 * restored: variables, listeners, exit code, mocks and globals. New globals with a string as their name stay: they
 * belong to packages, which stay too.
 */
export class NativeEnvironment {
  global = globalThis
  moduleMocker = new ModuleMocker(globalThis)
  #before = {
    globals: Object.getOwnPropertyDescriptors(globalThis),
    listeners: new Map(process.eventNames().map((name) => [name, process.rawListeners(name)])),
    variables: { ...process.env },
    exit: process.exit,
    exitCode: process.exitCode,
  }

  /** @param {{projectConfig: {testEnvironmentOptions: Record<string, unknown>}}} config */
  constructor({ projectConfig: config }) {
    const timers = { config, global: globalThis }
    this.fakeTimersModern = new ModernFakeTimers(timers)
    const useFakeTimers = this.fakeTimersModern.useFakeTimers.bind(this.fakeTimersModern)
    // without nextTick, on which the streams of Node depend
    this.fakeTimersModern.useFakeTimers = (/** @type {{doNotFake?: string[]} | undefined} */ options) =>
      useFakeTimers({ ...options, doNotFake: [...(options?.doNotFake ?? []), 'nextTick'] })
    this.fakeTimers = new LegacyFakeTimers({
      ...timers,
      moduleMocker: this.moduleMocker,
      timerConfig: { idToRef: (/** @type {number} */ id) => id, refToId: (/** @type {number} */ timer) => timer },
    })
  }

  /** Jest only checks that there is one: the runtime uses none. */
  getVmContext() {
    return globalThis
  }

  exportConditions() {
    return ['node', 'node-addons']
  }

  async setup() {}

  async teardown() {
    this.fakeTimers.dispose()
    this.fakeTimersModern.dispose()
    this.moduleMocker.restoreAllMocks()
    this.#restoreGlobals()
    this.#restoreListeners()
    for (const name of Object.keys(process.env)) if (!(name in this.#before.variables)) delete process.env[name]
    Object.assign(process.env, this.#before.variables)
    process.exit = this.#before.exit
    process.exitCode = this.#before.exitCode
  }

  #restoreGlobals() {
    const globals = /** @type {Record<string, PropertyDescriptor>} */ (this.#before.globals)
    for (const [key, now] of Object.entries(Object.getOwnPropertyDescriptors(globalThis))) {
      const before = globals[key]
      if (before && before.value !== now.value) Object.defineProperty(globalThis, key, before)
    }
    for (const key of Object.getOwnPropertySymbols(globalThis)) {
      if (!(key in globals)) Reflect.deleteProperty(globalThis, key)
    }
  }

  #restoreListeners() {
    for (const name of process.eventNames()) {
      // packages listen to it once, to clean up
      if (name === 'exit') continue
      const before = this.#before.listeners.get(name) ?? []
      for (const listener of process.rawListeners(name)) {
        if (!before.includes(listener)) process.removeListener(name, /** @type {() => void} */ (listener))
      }
    }
  }
}
