import type { UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Confirm } from '../ui/confirm.js'

interface DeleteButtonProps {
  id: number
  name: string
  text?: string
  remove: UseMutationResult<unknown, Error, number>
}

/** Deletes after the name was typed. What refers to the thing is named by the refusal. */
export function DeleteButton({ id, name, text, remove }: DeleteButtonProps) {
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
          onConfirm={() => remove.mutate(id)}
          onClose={() => setIsAsking(false)}
        >
          <p>{text ?? t.setUp.deleteText}</p>
        </Confirm>
      )}
    </>
  )
}
