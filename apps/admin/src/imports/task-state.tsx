import { useTexts } from '../texts/language.js'
import { Mark, type Tone } from '../ui/mark.js'
import type { Task } from './import-calls.js'

const TONES: Record<Task['status'], Tone> = {
  pending: 'waiting',
  processing: 'running',
  completed: 'good',
  failed: 'danger',
}

export function TaskState({
  task: { status, superseded, error_code },
}: {
  task: Pick<Task, 'status' | 'superseded' | 'error_code'>
}) {
  const t = useTexts()
  if (status === 'failed' && error_code === 'CANCELLED') return <Mark tone="quiet">{t.tasks.cancelled}</Mark>
  if (status === 'completed' && superseded) return <Mark tone="quiet">{t.tasks.superseded}</Mark>
  return <Mark tone={TONES[status]}>{t.tasks.statuses[status]}</Mark>
}
