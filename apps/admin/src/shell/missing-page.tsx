import { useLocation } from '@tanstack/react-router'
import { useTexts } from '../texts/language.js'
import { Page } from '../ui/page.js'
import { NoSuchPage } from '../ui/state.js'

export function MissingPage() {
  const t = useTexts()
  const path = useLocation({ select: ({ pathname }) => pathname })
  return (
    <Page title={t.shell.notFound.title}>
      <NoSuchPage path={path} />
    </Page>
  )
}
