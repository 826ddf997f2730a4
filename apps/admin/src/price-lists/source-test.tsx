import { Link } from '@tanstack/react-router'
import { AnswerError } from '@partsbus/client/answer-error'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Notice } from '../ui/panel.js'
import { RefusalNotice } from '../ui/refusal.js'
import { ServerText } from '../ui/server-text.js'
import { Time } from '../ui/time.js'
import { useFormats } from '../ui/use-formats.js'
import type { useTestSource } from './price-list-calls.js'

interface SourceTestProps {
  listId: number
  /** of the source */
  title: string
  test: ReturnType<typeof useTestSource>
  isReady: boolean
  onTest: () => void
}

type Tested = NonNullable<SourceTestProps['test']['data']>

/** Fetches the file as the form says, saved or not; nothing is imported. */
export function SourceTest({ listId, title, test, isReady, onTest }: SourceTestProps) {
  const t = useTexts()
  const words = t.sources.test
  const { data, error } = test
  const isRefused = error instanceof AnswerError && error.status === 422
  return (
    <div className="stack-tight">
      <div>
        <Button
          isSmall
          icon="plug"
          isBusy={test.isPending}
          disabled={!isReady}
          aria-label={`${words.act}: ${title}`}
          onClick={onTest}
        >
          {words.act}
        </Button>
      </div>
      <div role="status">{data && <TestResult listId={listId} result={data} />}</div>
      {error !== null && !isRefused && <RefusalNotice error={error} />}
    </div>
  )
}

function TestResult({ listId, result }: { listId: number; result: Tested }) {
  const t = useTexts()
  const formats = useFormats()
  const words = t.sources.test
  const { ok, ms, code, message, file, preview_id } = result
  const took = formats.duration(ms)
  if (!ok) {
    const reason = code === null ? undefined : words.codes[code]
    return (
      <Notice tone="danger" title={words.bad(took)}>
        {reason !== undefined && <p>{reason}</p>}
        <p className={reason === undefined ? undefined : 'small'}>
          <ServerText text={message} />
        </p>
      </Notice>
    )
  }
  return (
    <Notice tone="good" title={words.good(took)}>
      {file && <p>{words.file(file.name, formats.size(file.size))}</p>}
      {file !== null && file.modified_at !== null && (
        <p className="row">
          {words.modified} <Time at={file.modified_at} />
        </p>
      )}
      {preview_id !== null && (
        <p>
          <Link to="/price-lists/$id/format" params={{ id: String(listId) }} search={{ preview: preview_id }}>
            {words.columns}
          </Link>
        </p>
      )}
    </Notice>
  )
}
