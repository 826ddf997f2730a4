import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { admin } from '../calls/admin-client.js'

export interface UploadState {
  listId: number
  file: File
  sent: number
  error?: unknown
}

/** Sends a file for a preview, then opens it on the page of the format. Nothing is imported. */
export function useUpload() {
  const navigate = useNavigate()
  const [state, setState] = useState<UploadState>()
  const sending = useRef<AbortController>(undefined)
  useEffect(() => () => sending.current?.abort(), [])
  const start = async (listId: number, file: File): Promise<void> => {
    sending.current?.abort()
    const { signal } = (sending.current = new AbortController())
    setState({ listId, file, sent: 0 })
    try {
      const preview = await admin.upload('POST /price-lists/:id/preview', {
        params: { id: listId },
        file,
        fields: { draft: '{}' },
        onProgress: (sent) => setState({ listId, file, sent }),
        signal,
      })
      setState(undefined)
      await navigate({
        to: '/price-lists/$id/format',
        params: { id: String(listId) },
        search: { preview: preview.preview_id },
      })
    } catch (error) {
      if (!signal.aborted) setState({ listId, file, sent: 0, error })
    }
  }
  const cancel = (): void => {
    sending.current?.abort()
    setState(undefined)
  }
  return { state, start, cancel }
}
