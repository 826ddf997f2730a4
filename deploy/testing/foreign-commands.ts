import { sources } from './checkout.js'

/**
 * Subjects of other services' commands that a service imports from the contracts by name.
 * The gateway, which passes on whatever its routes name, is found by the same look.
 */
export function foreignCommands(service: string): string[] {
  const subjects = new Map(
    sources('packages/contracts/src')
      .flatMap((text) => [...text.matchAll(/export const (\w+) = (?:command|batchCommand)\(\s*'([^']+)'/g)])
      .map(([, name = '', subject = '']) => [name, subject]),
  )
  const imported = sources(`services/${service}/src`)
    .flatMap((text) => [...text.matchAll(/import \{([^}]+)\} from '@partsbus\/contracts\//g)])
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim().split(' ')[0] ?? ''))
  // the administration service answers one that the gateway answered before
  const handled = new Set(
    sources(`services/${service}/src`).flatMap((text) =>
      [...text.matchAll(/@Handles\((?:\w+\.)?(\w+)\)/g)].map(([, name]) => name),
    ),
  )
  const asked = imported
    .filter((name) => !handled.has(name))
    .flatMap((name) => subjects.get(name) ?? [])
    .filter((subject) => !subject.startsWith(`${service}.`))
  return [...new Set(asked)].sort()
}
