import { diagnose } from '@partsbus/contracts/diagnosis'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { Db } from 'mongodb'
import { type RawRequest, readCall } from '../bus/call.js'
import type { BusServer } from '../bus/server.js'
import { SchemaStore } from '../mongo/schema-store.js'
import type { Check } from './finding.js'
import { makeCheck } from './make-checks.js'

/**
 * Lets a service answer `<service>.diagnose`. To be called before the server subscribes.
 * @returns ends the checks in progress: a process that stops does not wait for them
 */
export function answerDiagnose(server: BusServer, service: string, db: Db, checks: readonly Check[]): () => void {
  const contract = diagnose(service)
  let stop = (): void => undefined
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(new AppError('UNAVAILABLE', texts.unavailable))
  })
  stopped.catch(() => undefined)
  const names = checks.map(({ name }) => name)
  server.addHandler(contract.subject, async (message: RawRequest) => {
    const { check: name, fix = false } = (await readCall(contract, message)).body
    const check = checks.find((each) => each.name === name)
    if (name !== undefined && !check) throw new AppError('NOT_FOUND', texts.notFound)
    return {
      service,
      schema_version: (await new SchemaStore(db).find())?.version ?? null,
      checks: names,
      findings: check ? await Promise.race([makeCheck(check, fix), stopped]) : [],
    }
  })
  return () => stop()
}
