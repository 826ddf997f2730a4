/** One ERP batch in one message: a body of 8 MiB and its headers. Every configuration the product ships with says the same. */
export const MAX_PAYLOAD = 8 * 1024 * 1024 + 64 * 1024

/** The text of a nats-server configuration file with JetStream on disk. `extra` is appended as it is (users, limits). */
export function natsConfig(place: { listen: string; storeDir: string; extra?: string }): string {
  return [
    `listen: ${JSON.stringify(place.listen)}`,
    `max_payload: ${MAX_PAYLOAD}`,
    // as deploy/nats/nats.conf: a process that is frozen is cut off after 15 s
    'ping_interval: "5s"',
    'ping_max: 2',
    // without a limit the server takes three quarters of what is free on the disk, and has no room for our streams where that is little
    `jetstream { store_dir: ${JSON.stringify(place.storeDir)}, max_file_store: 8GB }`,
    place.extra ?? '',
    '',
  ].join('\n')
}
