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
    `jetstream { store_dir: ${JSON.stringify(place.storeDir)} }`,
    place.extra ?? '',
    '',
  ].join('\n')
}
