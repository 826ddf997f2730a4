import { useEffect, useRef } from 'react'
import { AnswerError } from '@partsbus/client/answer-error'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Check } from '../ui/field.js'
import { Mark } from '../ui/mark.js'
import { Panel } from '../ui/panel.js'
import { SecretField } from '../ui/secret-field.js'
import { TextFields } from '../ui/text-fields.js'
import { fieldId, ViolationsProvider, ViolationsSummary } from '../ui/violations.js'
import { useTestSource } from './price-list-calls.js'
import { FILE_FIELDS, isOtherLogin, readSource, SERVER_FIELDS, type Source, type SourceDraft } from './source-draft.js'
import { SourceRun } from './source-run.js'
import { SourceTest } from './source-test.js'

interface SourceCardProps {
  listId: number
  /** of its fields in the body, like `sources.0.` */
  path: string
  title: string
  /** Path → the name a person knows. */
  labels: Record<string, string>
  draft: SourceDraft
  stored: SourceDraft | undefined
  lastRun: Source['last_run']
  /** Its fields that differ from what is stored. */
  changed: string[]
  saveError: unknown
  isDisabled: boolean
  onChange: (part: Partial<SourceDraft>) => void
  onRemove: () => void
}

/** One source: its fields, its last run, and its test as it stands in the form. */
export function SourceCard({
  listId,
  path,
  title,
  labels,
  draft,
  stored,
  lastRun,
  changed,
  saveError,
  isDisabled,
  onChange,
  onRemove,
}: SourceCardProps) {
  const t = useTexts()
  const words = t.sources
  const test = useTestSource(listId)
  const { kind } = draft
  const { source, invalid } = readSource(draft, stored)
  const isNew = stored === undefined
  const wasShown = useRef(false)
  useEffect(() => {
    if (isNew && !wasShown.current) document.getElementById(fieldId(`${path}${SERVER_FIELDS[kind][0]}`))?.focus()
    wasShown.current = true
  }, [isNew, path, kind])
  const change = (part: Partial<SourceDraft>) => {
    // what was tested is no longer what stands here
    if (!test.isIdle) test.reset()
    onChange(part)
  }
  const refused = test.error instanceof AnswerError && test.error.status === 422 ? below(path, test.error) : undefined
  const texts = {
    prefix: path,
    draft,
    labels: { ...words.fields, every_minutes: words.everyMinutes },
    changed,
    isDisabled,
    errors: Object.fromEntries(invalid.map((name) => [name, t.general.noNumber])),
    onChange: change,
  }
  return (
    <ViolationsProvider error={refused ?? saveError}>
      <Panel
        title={title}
        actions={
          <>
            {isNew && <Mark tone="waiting">{words.isNew}</Mark>}
            {!isDisabled && (
              <Button isSmall aria-label={words.remove(title)} onClick={onRemove}>
                {t.general.remove}
              </Button>
            )}
          </>
        }
      >
        <div className="stack">
          {refused && <ViolationsSummary labels={labels} />}
          <Check
            isSwitch
            label={words.on}
            isOn={draft.is_active}
            disabled={isDisabled}
            onChange={(is_active) => change({ is_active })}
          />
          <div className="fields">
            <TextFields
              {...texts}
              names={SERVER_FIELDS[kind]}
              isRequired={kind === 'url' ? ['url'] : ['host']}
              hints={words.hints[kind]}
            />
            {isDisabled ? null : (
              <SecretField
                label={words.fields.password}
                path={`${path}password`}
                value={draft.password}
                mustBeSentAgain={isOtherLogin(stored, draft)}
                onChange={(password) => change({ password })}
              />
            )}
          </div>
          {kind === 'ftp' && (
            <Check
              label={words.secure}
              hint={words.secureHint}
              isOn={draft.secure}
              disabled={isDisabled}
              onChange={(secure) => change({ secure })}
            />
          )}
          <div className="fields">
            <TextFields {...texts} names={FILE_FIELDS[kind]} hints={words.hints[kind]} />
            <TextFields
              {...texts}
              names={['every_minutes']}
              hints={{ every_minutes: words.everyHint }}
              inputMode="decimal"
            />
          </div>
          {stored?.id !== undefined && (
            <SourceRun
              listId={listId}
              sourceId={stored.id}
              title={title}
              lastRun={lastRun}
              isChanged={changed.length > 0}
              mayRun={!isDisabled}
            />
          )}
          {!isDisabled && (
            <SourceTest
              listId={listId}
              title={title}
              test={test}
              isReady={invalid.length === 0}
              onTest={() => test.mutate(source)}
            />
          )}
        </div>
      </Panel>
    </ViolationsProvider>
  )
}

/** The violations of one source alone, at the paths that its fields have among all of them. */
function below(path: string, { message, errors, violations }: AnswerError): AnswerError {
  const body = {
    message,
    errors: Object.fromEntries(Object.entries(errors).map(([name, texts]) => [path + name, texts])),
    violations: violations.map((violation) => ({ ...violation, path: path + violation.path })),
  }
  return new AnswerError(422, body, new Headers())
}
