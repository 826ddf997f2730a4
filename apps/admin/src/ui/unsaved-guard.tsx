import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { noteUnsaved } from '../browser/unsaved.js'
import { useTexts } from '../texts/language.js'
import { Button } from './button.js'
import { Dialog } from './dialog.js'

/** Asks before a changed form is left: by a link, by back, by closing the window. */
export function UnsavedGuard({ changes }: { changes: number }) {
  const t = useTexts()
  const isDirty = changes > 0
  useEffect(() => noteUnsaved(isDirty), [isDirty])
  const blocker = useBlocker({
    // another filter or tab of the same page keeps the form
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Dialog
      title={t.states.unsaved.title}
      onClose={blocker.reset}
      actions={
        <>
          <Button onClick={blocker.proceed}>{t.states.unsaved.leave}</Button>
          <Button kind="primary" onClick={blocker.reset}>
            {t.states.unsaved.stay}
          </Button>
        </>
      }
    >
      <p>{t.states.unsaved.text(t.general.changes(changes))}</p>
    </Dialog>
  )
}
