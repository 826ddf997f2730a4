import Runner from 'jest-runner'

/**
 * Runs spec files one after another, also in a run of other files with several workers: they measure times and share a
 * product.
 */
export default class SerialRunner extends Runner {
  isSerial = true
}
