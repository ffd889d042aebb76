//! Measures how long a job waits for an idle worker, how long a worker keeps working on a cancelled
//! job, whether a long queue slows down submitting, and whether workers get in each other's way.
//!
//! Product targets: submit to start ≤ 50 ms; cancelled within 2 s; 10 000 waiting jobs do not slow
//! down submitting. Four workers on a computer with capacity for two are no slower than one.

use limber_bench::{amount, median, rounds};
use limber_client::motion::{JobId, JobStatus, ListFilter, TextToMotion};
use tokio::task::JoinHandle;

use super::{Bench, ROUNDS, time_ms, walk};

/// Number of jobs for one and for four workers.
const JOBS: usize = 24;

impl Bench {
    /// Measures waiting times. Needs an empty table, and leaves one.
    pub(super) async fn waits(&mut self) {
        let mut ratios = Vec::new();
        for _ in 0..rounds(3) {
            let without = self.submit_ms().await;
            self.fill_table().await;
            ratios.push(self.submit_ms().await / without);
            self.empty_table().await;
        }
        self.report.at_most("submit with 10 000 waiting, to without", 1.5, "x", ratios);

        let worker = self.worker("bench");
        // warm-up: the first job opens everything that later ones need
        self.wait_ms().await;
        let mut waits = Vec::new();
        for _ in 0..rounds(ROUNDS) {
            waits.push(self.wait_ms().await);
        }
        self.report.at_most("submit to start of the work", 50.0, "ms", waits);
        let mut ends = Vec::new();
        for _ in 0..rounds(ROUNDS) {
            ends.push(self.cancel_ms().await);
        }
        stop(vec![worker]).await;
        self.report.at_most("cancel to start of the next job", 2000.0, "ms", ends);
        self.empty_table().await;
    }

    async fn submit_ms(&self) -> f64 {
        let mut times = Vec::new();
        // more than elsewhere, because the result is a ratio of two measurements
        for _ in 0..5 * rounds(ROUNDS) {
            times.push(time_ms(self.submit()).await);
        }
        median(times)
    }

    /// Measures, by the database's clock, the time from inserting the row to claiming it, in
    /// milliseconds.
    async fn wait_ms(&self) -> f64 {
        let job = self.submit().await;
        self.finished(&job).await;
        let newest = ListFilter { limit: Some(1), ..ListFilter::default() };
        let listed = self.client.list(&newest).await.expect("a list");
        let info = &listed[0].processing_info;
        (info.started_at.expect("it ran") - info.queued_at) as f64
    }

    /// Measures how long the only worker takes to leave a cancelled job and claim the next, in
    /// milliseconds.
    async fn cancel_ms(&self) -> f64 {
        let long = TextToMotion { variants: 8, duration_s: Some(10.0), ..walk() };
        let job = self.client.submit(&long, None).await.expect("a job").job;
        self.taken(&job).await;
        let next = self.submit().await;
        let left = async {
            self.client.cancel(&job).await.expect("it is running");
            self.taken(&next).await;
        };
        let spent = time_ms(left).await;
        self.finished(&next).await;
        spent
    }

    /// Waits until a worker has claimed the job.
    async fn taken(&self, job: &JobId) {
        while let JobStatus::Queued { .. } = self.client.status(job).await.expect("known") {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }

    pub(super) async fn workers(&mut self) {
        let mut rates = [Vec::new(), Vec::new()];
        // alternating, so that other load on the computer affects both equally
        for _ in 0..rounds(3) {
            for (place, workers) in [1, 4].into_iter().enumerate() {
                rates[place].push(self.jobs_per_second(workers).await);
            }
        }
        let [one, four] = rates.map(median);
        let ratio = four / one;
        let what = format!("four workers, {four:.1} jobs/s, to one");
        self.report.at_least(&what, 1.0, "x", vec![ratio]);
    }

    async fn jobs_per_second(&self, workers: usize) -> f64 {
        let jobs = amount(JOBS, 2);
        for _ in 0..jobs {
            self.submit().await;
        }
        let all_done = async || loop {
            let ends = "select count(*) filter (where state = 'success'),
                            count(*) filter (where state = 'failure') from jobs";
            let (made, failed): (i64, i64) =
                sqlx::query_as(ends).fetch_one(&self.pool).await.expect("numbers");
            assert_eq!(failed, 0, "jobs fail");
            if made == jobs as i64 {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        };
        let workers: Vec<_> = (0..workers).map(|n| self.worker(&format!("bench-{n}"))).collect();
        let ms = time_ms(all_done()).await;
        stop(workers).await;
        self.empty_table().await;
        jobs as f64 / ms * 1000.0
    }
}

async fn stop(workers: Vec<JoinHandle<()>>) {
    for worker in workers {
        worker.abort();
        let _ = worker.await;
    }
}
