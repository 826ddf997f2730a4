import type { Credentials } from './credentials.ts'

/** A body of 8 MiB and its headers, as in all shipped configurations. */
export const MAX_PAYLOAD = 8 * 1024 * 1024 + 64 * 1024

/**
 * A configuration file for nats-server with JetStream on disk. `extra` is appended unchanged (users, limits). Without
 * `client` and users in `extra`, everybody may connect.
 */
export function natsConfig(place: { listen: string; storeDir: string; client?: Credentials; extra?: string }): string {
  return [
    `listen: ${JSON.stringify(place.listen)}`,
    `max_payload: ${MAX_PAYLOAD}`,
    // as in deploy/nats/nats.conf: a frozen process is disconnected after 15 s
    'ping_interval: "5s"',
    'ping_max: 2',
    // without a limit the server reserves three quarters of the free disk, too little for our streams on a small one
    `jetstream { store_dir: ${JSON.stringify(place.storeDir)}, max_file_store: 8GB }`,
    place.client === undefined
      ? ''
      : `authorization { user: ${JSON.stringify(place.client.user)}, ` +
        `password: ${JSON.stringify(place.client.password)} }`,
    place.extra ?? '',
    '',
  ].join('\n')
}
