// @ts-check
/**
 * Gateways first, so that no new request comes in; then the services that answer them; then the servers all of them
 * need.
 * Together at most 24 s.
 */
const GATEWAYS_WITHIN_MS = 10_000
const OTHERS_WITHIN_MS = 8_000

/**
 * @param {import('@partsbus/local-stack/supervised-process').SupervisedProcess[]} services
 * @param {import('@partsbus/local-stack/start-stack').Stack | undefined} stack
 */
export async function stopInOrder(services, stack) {
  const gateways = services.filter((service) => service.name === 'gateway')
  const others = services.filter((service) => service.name !== 'gateway')
  await Promise.all(gateways.map((service) => service.stop(GATEWAYS_WITHIN_MS)))
  await Promise.all(others.map((service) => service.stop(OTHERS_WITHIN_MS)))
  await stack?.stop()
}
