import { type DragEvent, type ReactNode, useId, useState } from 'react'
import { useTexts } from '../texts/language.js'
import { buttonClass } from './button.js'
import { classNames } from './class-names.js'
import styles from './drop-area.module.css'
import { Icon } from './icon.js'

interface DropAreaProps {
  onFiles: (files: File[]) => void
  accept?: string
  isMultiple?: boolean
  isDisabled?: boolean
  children?: ReactNode
}

/** Choose files, or drop them. */
export function DropArea({ onFiles, accept, isMultiple = false, isDisabled = false, children }: DropAreaProps) {
  const t = useTexts()
  const id = useId()
  const { isOver, dropProps } = useDrop(onFiles, isDisabled)
  return (
    <div className={classNames(styles.area, isOver && styles.over)} {...dropProps}>
      <Icon name="upload" />
      <div className={styles.line}>
        <input
          id={id}
          className={styles.input}
          type="file"
          accept={accept}
          multiple={isMultiple}
          disabled={isDisabled}
          onChange={(event) => {
            const files = [...(event.target.files ?? [])]
            // the same file can be chosen again
            event.target.value = ''
            if (files.length > 0) onFiles(files)
          }}
        />
        <label htmlFor={id} className={classNames(buttonClass('primary'), styles.choose)}>
          {t.kit.drop.choose}
        </label>
        <span className={styles.or}>{t.kit.drop.or}</span>
      </div>
      {children !== undefined && <div className={styles.text}>{children}</div>}
    </div>
  )
}

/** Makes any element a target of files: spread `dropProps` on it. */
export function useDrop(onFiles: (files: File[]) => void, isDisabled = false) {
  const [depth, setDepth] = useState(0)
  const hasFiles = (event: DragEvent) => !isDisabled && event.dataTransfer.types.includes('Files')
  const dropProps = {
    onDragEnter: (event: DragEvent) => hasFiles(event) && setDepth((count) => count + 1),
    onDragLeave: (event: DragEvent) => hasFiles(event) && setDepth((count) => Math.max(0, count - 1)),
    onDragOver: (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
    },
    onDrop: (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      event.stopPropagation()
      setDepth(0)
      onFiles([...event.dataTransfer.files])
    },
  }
  return { isOver: depth > 0, dropProps }
}

/** Makes each row of a table a target of one file: `<Table rowProps={useDropRows(…)}>`. */
export function useDropRows<Row extends { id: number }>(onFile: (file: File, row: Row) => void, isDisabled = false) {
  const [over, setOver] = useState<number>()
  return (row: Row): Record<string, unknown> => {
    if (isDisabled) return {}
    return {
      'data-drop': over === row.id || undefined,
      onDragOver: (event: DragEvent) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'copy'
        setOver(row.id)
      },
      onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
        // its cells are left and entered all the time
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(undefined)
      },
      onDrop: (event: DragEvent) => {
        setOver(undefined)
        const [file] = event.dataTransfer.files
        if (!file) return
        event.preventDefault()
        onFile(file, row)
      },
    }
  }
}
