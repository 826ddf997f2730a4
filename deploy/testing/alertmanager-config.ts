import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from './checkout.js'

export interface AlertmanagerConfig {
  route: { receiver: string; routes: { matchers: string[]; receiver: string }[] }
  receivers: {
    name: string
    email_configs?: Record<string, unknown>[]
    telegram_configs?: Record<string, unknown>[]
    webhook_configs?: Record<string, unknown>[]
  }[]
}

/** Runs deploy/observability/alertmanager.sh with some variables and secrets, whose files are made in a folder. */
export function printConfig(folder: string, env: Record<string, string>, secrets: Record<string, string>) {
  mkdirSync(folder, { recursive: true })
  const all = { alert_smtp_password: '', alert_telegram_token: '', alert_watchdog_url: '', ...secrets }
  for (const [name, value] of Object.entries(all)) writeFileSync(join(folder, name), value)
  const { status, stdout, stderr } = spawnSync('sh', [join(root, 'deploy/observability/alertmanager.sh')], {
    env: { PATH: process.env.PATH, SECRETS_FOLDER: folder, ...env },
    encoding: 'utf8',
  })
  return { status, stderr, config: (status === 0 ? parse(stdout) : {}) as AlertmanagerConfig }
}
