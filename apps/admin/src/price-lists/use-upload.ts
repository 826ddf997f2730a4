import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { admin } from '../shell/admin-client.js'

interface UploadState {
  file: File
  sent: number
  error?: unknown
}

/** Sends a file for a preview, then opens it on the page of the format. Nothing is imported. */
export function useUpload(listId: number) {
  const navigate = useNavigate()
  const [state, setState] = useState<UploadState>()
  const sending = useRef<AbortController>(undefined)
  useEffect(() => () => sending.current?.abort(), [])
  const start = async (file: File): Promise<void> => {
    sending.current?.abort()
    const { signal } = (sending.current = new AbortController())
    setState({ file, sent: 0 })
    try {
      const preview = await admin.upload('POST /price-lists/:id/preview', {
        params: { id: listId },
        file,
        fields: { draft: '{}' },
        onProgress: (sent) => setState({ file, sent }),
        signal,
      })
      setState(undefined)
      await navigate({
        to: '/price-lists/$id/format',
        params: { id: String(listId) },
        search: { preview: preview.preview_id },
      })
    } catch (error) {
      if (!signal.aborted) setState({ file, sent: 0, error })
    }
  }
  const cancel = (): void => {
    sending.current?.abort()
    setState(undefined)
  }
  return { state, start, cancel }
}
