import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../calls/session.js'
import { areShortcutsOn, switchShortcuts } from '../shell/shortcuts.js'
import { useTexts } from '../texts/language.js'
import { Check } from '../ui/field.js'
import { Page } from '../ui/page.js'
import { Notice, Panel } from '../ui/panel.js'
import { AccountForm } from './account-form.js'
import { OwnSessions } from './own-sessions.js'
import { PasswordForm } from './password-form.js'

export function AccountPage() {
  const t = useTexts()
  const words = t.people.account
  const { session } = useSession()
  const { administrator } = session
  const isPerson = administrator.id !== null
  return (
    <Page title={t.shell.pages.account}>
      {isPerson ? (
        <div className="beside">
          <Panel title={words.profile}>
            <AccountForm session={session} />
          </Panel>
          <div className="stack">
            <Panel title={words.password}>
              <PasswordForm name={administrator.name} />
            </Panel>
            <Shortcuts />
          </div>
        </div>
      ) : (
        <>
          <Notice tone="info" title={words.noAccount}>
            <p>{words.noAccountText}</p>
            <p>
              <Link to="/administrators">{t.shell.pages.administrators}</Link>
            </p>
          </Notice>
          <Shortcuts />
        </>
      )}
      <OwnSessions />
    </Page>
  )
}

function Shortcuts() {
  const words = useTexts().people.account
  const [isOn, setIsOn] = useState(areShortcutsOn)
  return (
    <Panel title={words.shortcuts}>
      <Check
        isSwitch
        label={words.shortcutsOn}
        hint={words.shortcutsHint}
        isOn={isOn}
        onChange={(next) => {
          switchShortcuts(next)
          setIsOn(next)
        }}
      />
    </Panel>
  )
}
