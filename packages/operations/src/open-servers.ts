import type { AdminClient } from '@partsbus/client/admin-client'
import { UsageError } from '@partsbus/cli/exit-codes'
import { openAdmin, readSecret } from '@partsbus/cli/open-clients'

/** Undefined where no token is named, as in the container of a service other than the gateway. */
export function openAdminIfNamed(env: NodeJS.ProcessEnv): AdminClient | undefined {
  try {
    return openAdmin(env)
  } catch (error) {
    if (error instanceof UsageError && env.ADMIN_TOKEN_FILE === undefined) return undefined
    throw error
  }
}

export interface BusAddress {
  url: string
  user?: string | undefined
  password?: string | undefined
  ca?: string | undefined
}

/** The bus by its variables, or undefined. @param given an address in their place */
export function readBus(env: NodeJS.ProcessEnv, given: string | undefined): BusAddress | undefined {
  if (given !== undefined) return { url: given }
  const url = readSecret(env, 'NATS_URL')
  if (url === undefined) return undefined
  const [user, password, ca] = ['NATS_USER', 'NATS_PASSWORD', 'NATS_CA'].map((name) => readSecret(env, name))
  return { url, user, password, ca }
}
