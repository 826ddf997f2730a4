import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listedProcesses, stateFolder } from '@partsbus/cli/installation'

/**
 * Adds the servers, folders and the key of `npm start` where no database is named and its state folder is there:
 * `STATE_DIR`, by default `.state`.
 */
export function withLocalStack(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const folder = stateFolder(env)
  if (env.MONGODB_URL || env.MONGODB_URL_FILE) return env
  try {
    const processes = listedProcesses(folder)
    const accounts = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8')) as Record<string, Account>
    const address = (scheme: 'mongodb' | 'nats', names: readonly string[]): Record<string, string> => {
      const port = processes.find(({ name }) => names.includes(name))?.port
      const account = accounts[scheme]
      if (port === undefined || !account) return {}
      return { [`${scheme.toUpperCase()}_URL`]: `${scheme}://${account.user}:${account.password}@127.0.0.1:${port}/` }
    }
    return {
      STATE_DIR: folder,
      FILES_PATH: join(folder, 'files'),
      UPLOADS_PATH: join(folder, 'uploads'),
      ...(!env.SECRETS_KEY && { SECRETS_KEY_FILE: join(folder, 'secrets-key') }),
      ...address('mongodb', ['ferretdb', 'mongod']),
      ...address('nats', ['nats']),
      ...env,
    }
  } catch {
    // nothing was started from this folder
    return env
  }
}

interface Account {
  user: string
  password: string
}
