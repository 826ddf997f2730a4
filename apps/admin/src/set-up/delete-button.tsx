import type { UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { Deletion } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Confirm } from '../ui/confirm.js'

interface DeleteButtonProps {
  id: number
  /** of what is shown */
  revision: string | null
  name: string
  text?: string
  remove: UseMutationResult<unknown, Error, Deletion>
}

/** Deletes after the name was typed. What refers to the thing is named by the refusal. */
export function DeleteButton({ id, revision, name, text, remove }: DeleteButtonProps) {
  const t = useTexts()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button isWrite onClick={() => setIsAsking(true)}>
        {t.setUp.deleteAct}
      </Button>
      {isAsking && (
        <Confirm
          title={t.setUp.deleteTitle(name)}
          act={t.setUp.deleteAct}
          word={name}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ id, ifMatch: revision })}
          onClose={() => setIsAsking(false)}
        >
          <p>{text ?? t.setUp.deleteText}</p>
        </Confirm>
      )}
    </>
  )
}
