import type { AdminPath } from '@partsbus/contracts/http/admin'
import { useMemo, useState } from 'react'
import type { BodyProblems } from '../schemas/body-schemas.js'

/** What a form would send, and by which call. */
export interface BodyCheck {
  path: AdminPath
  body: unknown
}

interface Schemas {
  checkBody: (path: AdminPath, body: unknown) => BodyProblems
}

const NOTHING: BodyProblems = { violations: [], errors: {} }

/**
 * Checks a body by the schema of the contract, which is loaded with the first field that is entered. Without the
 * schemas, as where the connection is lost, only the server checks.
 */
export function useBodyCheck(check: BodyCheck | undefined) {
  const [schemas, setSchemas] = useState<Schemas>()
  const [left, setLeft] = useState<readonly string[]>([])
  const path = check?.path
  const text = check === undefined ? '' : JSON.stringify(check.body)
  const problems = useMemo(
    () => (schemas && path !== undefined ? schemas.checkBody(path, JSON.parse(text)) : NOTHING),
    [schemas, path, text],
  )
  return {
    problems,
    /** The ids of the controls that were left: no field is refused before somebody was there. */
    left,
    enter: () => {
      if (check !== undefined && schemas === undefined)
        void import('../schemas/body-schemas.js').then(setSchemas).catch(() => undefined)
    },
    leave: (id: string) => {
      if (check !== undefined && id !== '' && !left.includes(id)) setLeft([...left, id])
    },
  }
}
