import type { ReactNode } from 'react'
import type { Referrer } from '@partsbus/client/answer-error'

/** What refers to a thing that cannot be deleted. */
export const ReferrerLink = ({ name }: Referrer): ReactNode => name
