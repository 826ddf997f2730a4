import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { useIsOffline } from '../browser/use-is-offline.js'
import { classNames } from './class-names.js'
import styles from './button.module.css'
import { Icon, type IconName } from './icon.js'

/** A quick answer must not make a button flicker, ms. */
const BUSY_AFTER_MS = 150

export type ButtonKind = 'primary' | 'secondary' | 'danger' | 'quiet'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'aria-busy'> {
  kind?: ButtonKind
  icon?: IconName
  /** Its request is under way: it cannot be pressed again. */
  isBusy?: boolean
  /** It changes something, which is impossible while offline. */
  isWrite?: boolean
  isSmall?: boolean
  children?: ReactNode
}

export function Button({
  kind = 'secondary',
  icon,
  isBusy = false,
  isWrite = false,
  isSmall = false,
  ...props
}: ButtonProps) {
  const isOffline = useIsOffline()
  const isShownBusy = useIsLate(isBusy)
  const { className, children, disabled, onClick, type = 'button', ...rest } = props
  return (
    <button
      {...rest}
      type={type}
      className={classNames(buttonClass(kind, isSmall), className)}
      disabled={disabled || (isWrite && isOffline)}
      aria-busy={isShownBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
    >
      {isShownBusy ? <span className={styles.spinner} aria-hidden="true" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** An icon alone: `label` is its name. */
export function IconButton({
  label,
  icon,
  ...props
}: Omit<ButtonProps, 'children' | 'icon'> & { label: string; icon: IconName }) {
  return (
    <Button
      kind="quiet"
      {...props}
      className={classNames(styles.square, props.className)}
      icon={icon}
      aria-label={label}
      title={label}
    />
  )
}

/** For a link that looks like a button. */
export const buttonClass = (kind: ButtonKind = 'secondary', isSmall = false) =>
  classNames(styles.button, styles[kind], isSmall && styles.small)

/** True once `isOn` has lasted. */
export function useIsLate(isOn: boolean, afterMs = BUSY_AFTER_MS): boolean {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    if (!isOn) return
    const timer = setTimeout(() => setIsLate(true), afterMs)
    return () => {
      clearTimeout(timer)
      setIsLate(false)
    }
  }, [isOn, afterMs])
  return isLate
}
