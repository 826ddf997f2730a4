import { AnswerError } from '@partsbus/client/answer-error'
import type { AdminClient } from '@partsbus/client/admin-client'
import { buildInfo } from '@partsbus/platform/process/build-info'
import type { RepairableFinding } from '@partsbus/platform/diagnosis/finding'

/** The gateway, its version, and the services as it sees them. */
export async function checkGateway(admin: AdminClient): Promise<RepairableFinding[]> {
  try {
    const { version, services } = await admin('GET /overview')
    const away = services.filter(({ state }) => state === 'away').map(({ name }) => name)
    return [
      ...(version === buildInfo.version ? [] : [versionSkew(version)]),
      ...(away.length === 0 ? [] : [servicesAway(away)]),
    ]
  } catch (error) {
    return [describeFailure(error)]
  }
}

function describeFailure(error: unknown): RepairableFinding {
  if (error instanceof AnswerError && error.status === 401)
    return {
      code: 'admin-token-wrong',
      severity: 'error',
      message: 'The gateway does not accept ADMIN_TOKEN.',
      advice: 'Use the ADMIN_TOKEN of the gateway.',
    }
  return {
    code: 'gateway-unreachable',
    severity: 'error',
    message: `The gateway does not answer: ${(error as Error).message}.`,
    advice: 'Start the gateway, or set PARTSBUS_URL to its address.',
  }
}

function versionSkew(version: string): RepairableFinding {
  return {
    code: 'version-skew',
    severity: 'warning',
    message: `The gateway is of version ${version}, and this command of version ${buildInfo.version}.`,
    advice: 'Finish the upgrade, and run the command of the same image.',
  }
}

function servicesAway(names: readonly string[]): RepairableFinding {
  return {
    code: 'service-away',
    severity: 'error',
    message: `No process of ${names.join(', ')} answers the gateway.`,
    advice: 'Look at /readyz and at the log of the service: it names the server that it cannot reach.',
  }
}
