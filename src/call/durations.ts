/** In seconds: from an answer out of memory to the longest that a caller waits. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** How long calls took, counted by how long: a histogram as Prometheus has it. */
export class Durations {
  // The last place is for what is longer than any bucket.
  readonly #counts: number[] = Array.from({ length: BUCKETS.length + 1 }, () => 0)
  #sum = 0

  add (seconds: number): void {
    let place = 0
    while (place < BUCKETS.length && seconds > BUCKETS[place]!) place++
    this.#counts[place]!++
    this.#sum += seconds
  }

  /** As samples of a metric: each bucket holds those below it too. */
  samples (name: string, labels: Record<string, string>): Array<{ labels: Record<string, string | number>, value: number, metricName: string }> {
    let count = 0
    const buckets = this.#counts.map((inside, place) => {
      count += inside
      return { labels: { le: BUCKETS[place] ?? '+Inf', ...labels }, value: count, metricName: `${name}_bucket` }
    })
    return [...buckets, { labels, value: this.#sum, metricName: `${name}_sum` }, { labels, value: count, metricName: `${name}_count` }]
  }
}
