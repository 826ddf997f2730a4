import type { ErrorComponentProps } from '@tanstack/react-router'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Page } from '../ui/page.js'
import { Notice } from '../ui/panel.js'

/** A page whose code failed. The frame around it stays. */
export function BrokenPage({ error }: ErrorComponentProps) {
  const t = useTexts()
  return (
    <Page title={t.shell.broken.title}>
      <Notice tone="danger">
        <p>{t.shell.broken.text}</p>
        <p lang="en" className="mono">
          {error instanceof Error ? error.message : String(error)}
        </p>
        <p>
          <Button icon="refresh" onClick={() => location.reload()}>
            {t.shell.reload}
          </Button>
        </p>
      </Notice>
    </Page>
  )
}
