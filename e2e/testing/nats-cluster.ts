import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { findFreePort } from '@partsbus/local-stack/free-port'
import { type NatsServer, startNats } from '@partsbus/local-stack/start-nats'
import { waitUntil } from '@partsbus/local-stack/wait-until'

/** NATS servers on loopback that form one cluster. */
export interface NatsCluster {
  /** of all nodes, as `NATS_URL` takes it */
  url: string
  nodes: NatsServer[]
  /** Waits until every replica of every stream is up to date. */
  waitUntilCurrent(deadlineMs?: number): Promise<void>
  replicasOf(stream: string): Promise<number>
  stop(): Promise<void>
}

export async function startNatsCluster(size = 3): Promise<NatsCluster> {
  const routePorts = await Promise.all(Array.from({ length: size }, () => findFreePort()))
  const routes = routePorts.map((port) => `"nats://127.0.0.1:${port}"`).join(', ')
  const nodes = await Promise.all(
    routePorts.map((port, index) =>
      startNats({
        config: [
          `server_name: "node-${index + 1}"`,
          `cluster { name: "test", listen: "127.0.0.1:${port}", routes: [${routes}], no_advertise: true }`,
        ].join('\n'),
      }),
    ),
  )
  const url = nodes.map((node) => node.url).join(',')
  const connection = await connect({ servers: url.split(','), maxReconnectAttempts: -1, reconnectTimeWait: 100 })
  const isCurrent = async (): Promise<boolean> => {
    try {
      return await everyReplicaIsCurrent(connection)
    } catch {
      return false // there is no leader yet
    }
  }
  const cluster: NatsCluster = {
    url,
    nodes,
    async waitUntilCurrent(deadlineMs = 120_000) {
      if (!(await waitUntil(isCurrent, { withinMs: deadlineMs, everyMs: 100 }))) {
        throw new Error('The streams of the cluster did not become current.')
      }
    },
    async replicasOf(stream) {
      const manager = await jetstreamManager(connection)
      return (await manager.streams.info(stream)).config.num_replicas
    },
    async stop() {
      await connection.close()
      await Promise.all(nodes.map((node) => node.stop()))
    },
  }
  await cluster.waitUntilCurrent()
  return cluster
}

async function everyReplicaIsCurrent(connection: NatsConnection): Promise<boolean> {
  const manager = await jetstreamManager(connection)
  for await (const stream of manager.streams.list()) {
    const { cluster, config } = stream
    if (!cluster?.leader) return false
    const others = cluster.replicas ?? []
    if (others.length !== config.num_replicas - 1) return false
    if (others.some((replica) => !replica.current || replica.offline)) return false
  }
  return true
}
