import type { ServiceName } from '@partsbus/contracts/diagnosis'
import { readSecret } from '@partsbus/cli/open-clients'

/**
 * The address of the database of a service: `MONGODB_URL_CATALOG` and so on, or `MONGODB_URL` if it is that of all.
 * @param given in place of the variables
 */
export function databaseAddress(
  env: NodeJS.ProcessEnv,
  service: ServiceName,
  given?: string,
  isShared = true,
): string | undefined {
  if (given !== undefined) return given
  const own = readSecret(env, `MONGODB_URL_${service.toUpperCase().replaceAll('-', '_')}`)
  // as version 0.1 named the database of administrators
  const earlier = service === 'administration' ? readSecret(env, 'MONGODB_URL_GATEWAY') : undefined
  return own ?? earlier ?? (isShared ? readSecret(env, 'MONGODB_URL') : undefined)
}
