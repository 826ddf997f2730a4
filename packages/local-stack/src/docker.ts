import { GenericContainer, type StartedTestContainer } from 'testcontainers'

export interface DockerServer {
  image: string
  /** The port in the container, and the one on 127.0.0.1, which stays the same after a restart. */
  containerPort: number
  hostPort: number
  command?: string[]
  files?: { target: string; content: string }[]
  /** A folder of the host for the data. */
  data: { source: string; target: string }
}

/**
 * Starts a container. When this process dies, the library's reaper removes the container; when its server dies, the
 * daemon restarts it.
 */
export async function startInDocker(server: DockerServer): Promise<StartedTestContainer> {
  return new ServerContainer(server).start()
}

class ServerContainer extends GenericContainer {
  constructor(server: DockerServer) {
    super(server.image)
    this.withExposedPorts({ container: server.containerPort, host: server.hostPort })
    this.withBindMounts([{ ...server.data, mode: 'rw' }])
    this.withStartupTimeout(120_000)
    if (server.command !== undefined) this.withCommand(server.command)
    if (server.files !== undefined) this.withCopyContentToContainer(server.files)
    // on Linux the files of the state folder must belong to the user
    const [uid, gid] = [process.getuid?.(), process.getgid?.()]
    if (process.platform === 'linux' && uid !== undefined) this.withUser(`${uid}:${gid}`)
    this.hostConfig.RestartPolicy = { Name: 'on-failure' }
    if (isLocalDaemon()) {
      this.hostConfig.PortBindings = {
        [`${server.containerPort}/tcp`]: [{ HostIp: '127.0.0.1', HostPort: String(server.hostPort) }],
      }
    }
  }
}

/** A daemon on another machine cannot bind the loopback of this one. */
function isLocalDaemon(): boolean {
  return !/^(tcp|https?|ssh):/.test(process.env.DOCKER_HOST ?? '')
}
