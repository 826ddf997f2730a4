import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where testcontainers looks for a daemon. */
const SOCKETS = [
  '/var/run/docker.sock',
  ...(process.env.XDG_RUNTIME_DIR ? [join(process.env.XDG_RUNTIME_DIR, 'docker.sock')] : []),
  `/run/user/${process.getuid?.()}/docker.sock`,
  join(homedir(), '.docker', 'run', 'docker.sock'),
  join(homedir(), '.docker', 'desktop', 'docker.sock'),
  join(homedir(), '.testcontainers.properties'),
]

/**
 * Why containers cannot be used, or undefined. Where nothing can be a daemon, testcontainers is not loaded: that takes
 * a second, and on a fresh clone the library is not there yet.
 *
 * @param packages resolves when packages can be imported
 */
export async function unavailableDockerReason(packages = Promise.resolve()): Promise<string | undefined> {
  const none = 'no Docker daemon answers'
  if (process.platform !== 'win32' && !process.env.DOCKER_HOST && !SOCKETS.some((path) => existsSync(path))) return none
  await packages
  const { getContainerRuntimeClient } = await import('testcontainers')
  return getContainerRuntimeClient().then(
    () => undefined,
    () => none,
  )
}
