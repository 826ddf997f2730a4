import { CHECK_TIMEOUT_MS, diagnose, type DiagnosisReport } from '@partsbus/contracts/diagnosis'
import { AppError } from '@partsbus/contracts/app-error'
import type { BusClient } from '../bus/client.js'
import { checkFailed } from './make-checks.js'

/** Has a service make all its checks. @returns undefined when no process of the service answers */
export async function askService(
  calls: Pick<BusClient, 'request'>,
  service: string,
  isFixing: boolean,
): Promise<DiagnosisReport | undefined> {
  const contract = diagnose(service)
  try {
    const { schema_version, checks } = await calls.request(contract, {})
    const report: DiagnosisReport = { service, schema_version, findings: [] }
    for (const check of checks) {
      const reply = calls.request(contract, { check, fix: isFixing }, { timeoutMs: CHECK_TIMEOUT_MS })
      const found = await reply.catch((error: Error) => ({ findings: [checkFailed(check, error)] }))
      report.findings.push(...found.findings)
    }
    return report
  } catch (error) {
    if (error instanceof AppError && (error.code === 'UNAVAILABLE' || error.code === 'TIMEOUT')) return undefined
    return { service, schema_version: null, findings: [checkFailed(service, error as Error)] }
  }
}
