import { readFileSync } from 'node:fs'
import { z } from 'zod'

const port = z.coerce.number().int().min(0).max(65_535)

/** The variables of every process. */
export const processConfig = z.object({
  NATS_URL: z.string().min(1),
  NATS_USER: z.string().optional(),
  NATS_PASSWORD: z.string().optional(),
  /** certificate authorities of the bus in PEM, with a URL like `tls://bus:4222` */
  NATS_CA: z.string().min(1).optional(),
  /** `/livez`, `/readyz`, `/metrics`; 0 takes a free one */
  MANAGEMENT_PORT: port.default(9_090),
  MANAGEMENT_HOST: z.string().default('127.0.0.1'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
})

export type ProcessConfig = z.infer<typeof processConfig>

/** The variables of every process with a database. */
export const platformConfig = z.object({
  MONGODB_URL: z.string().min(1),
  /** defaults to `partsbus_<service>`, so that each service can live on its own cluster */
  MONGODB_DATABASE: z.string().min(1).optional(),
  /** maximum number of connections to MongoDB per process */
  MONGODB_POOL_SIZE: z.coerce.number().int().min(1).max(500).default(10),
  ...processConfig.shape,
})

export type PlatformConfig = z.infer<typeof platformConfig>

/** The variables of a process that only migrates its database. */
export const migrationConfig = platformConfig.pick({ MONGODB_URL: true, MONGODB_DATABASE: true, LOG_LEVEL: true })

export function databaseName(service: string, config: Pick<PlatformConfig, 'MONGODB_DATABASE'>): string {
  return config.MONGODB_DATABASE ?? `partsbus_${service.replaceAll('-', '_')}`
}

/**
 * The keys that encrypt stored secrets, separated by commas: each 32 bytes in base64 or hex.
 * The first encrypts, all decrypt (docs/operate/configuration.md, "Replacing SECRETS_KEY").
 */
export const secretsKey = z.string().transform((text, ctx): Buffer[] => {
  const keys = text.split(',').map((each): Buffer => {
    const key = each.trim()
    return /^[0-9a-f]{64}$/i.test(key) ? Buffer.from(key, 'hex') : Buffer.from(key, 'base64')
  })
  if (keys.every((key) => key.length === 32)) return keys
  ctx.addIssue({
    code: 'custom',
    message: 'must be 32 bytes in base64 or hex, or several such keys with commas between',
  })
  return z.NEVER
})

/**
 * Reads the configuration from the environment. Any variable may be set as `NAME_FILE`, the path of a file that
 * contains the value. An empty value, or an empty file, counts as not set.
 * @throws Error with one line per missing or invalid variable
 */
export function readConfig<Schema extends z.ZodType>(
  schema: Schema,
  env: NodeJS.ProcessEnv = process.env,
): z.infer<Schema> {
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value === '') continue
    values[name] = value
    const secret = name.endsWith('_FILE') ? readSecret(value) : undefined
    if (secret !== undefined && secret !== '') values[name.slice(0, -'_FILE'.length)] = secret
  }
  const result = schema.safeParse(values)
  if (result.success) return result.data
  const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`Invalid configuration:\n${lines.join('\n')}`)
}

/** Unrelated `*_FILE` variables may point anywhere, so an unreadable file counts as not set. */
function readSecret(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}
