//! Process metrics: runtime tasks, memory, CPU time, open files and the connection pool; the
//! counterpart of a Go service's runtime metrics.

use opentelemetry::metrics::Meter;
use sqlx::PgPool;
use tokio::runtime::Handle;

/// Registers gauges for the process, read on each collection.
pub(super) fn observe(meter: &Meter) {
    let runtime = Handle::current().metrics();
    let workers = runtime.clone();
    gauge(meter, "tokio.workers", "Worker threads of the runtime.", move || {
        Some(workers.num_workers())
    });
    let tasks = runtime.clone();
    gauge(meter, "tokio.tasks.alive", "Tasks that are alive.", move || {
        Some(tasks.num_alive_tasks())
    });
    gauge(meter, "tokio.queue.depth", "Tasks that are waiting for a thread.", move || {
        Some(runtime.global_queue_depth())
    });
    gauge(meter, "process.memory.usage", "Resident memory of the process, in bytes.", memory_bytes);
    gauge(meter, "process.thread.count", "Threads of the process.", || status_field("Threads:"));
    gauge(meter, "process.open_file_descriptor.count", "Open files and connections.", || {
        std::fs::read_dir("/proc/self/fd").ok().map(Iterator::count)
    });
    meter
        .f64_observable_counter("process.cpu.time")
        .with_unit("s")
        .with_description("Processor time used, in seconds.")
        .with_callback(|observer| {
            if let Some(seconds) = cpu_seconds() {
                observer.observe(seconds, &[]);
            }
        })
        .build();
}

/// Registers gauges for a service's database connections.
pub fn observe_pool(service: &'static str, pool: &PgPool) {
    let meter = opentelemetry::global::meter(service);
    let open = pool.clone();
    gauge(&meter, "db.client.connections.open", "Connections to the database.", move || {
        usize::try_from(open.size()).ok()
    });
    let idle = pool.clone();
    gauge(&meter, "db.client.connections.idle", "Idle connections to the database.", move || {
        Some(idle.num_idle())
    });
}

fn gauge(
    meter: &Meter,
    name: &'static str,
    description: &'static str,
    read: impl Fn() -> Option<usize> + Send + Sync + 'static,
) {
    meter
        .u64_observable_gauge(name)
        .with_description(description)
        .with_callback(move |observer| {
            if let Some(value) = read().and_then(|value| u64::try_from(value).ok()) {
                observer.observe(value, &[]);
            }
        })
        .build();
}

/// Returns the resident memory from `/proc`; on other systems than Linux the gauge reports nothing.
fn memory_bytes() -> Option<usize> {
    status_field("VmRSS:").map(|kilobytes| kilobytes * 1024)
}

fn status_field(name: &str) -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Returns the CPU time from fields 14 and 15 of `/proc/self/stat`, in ticks of 10 ms
/// (proc_pid_stat(5)).
fn cpu_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // the program name may contain spaces; the fields after its parenthesis do not
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: f64 = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    Some(ticks / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn process_metrics_are_not_zero() {
        assert!(memory_bytes().is_some_and(|bytes| bytes > 1_000_000));
        assert!(status_field("Threads:").is_some_and(|threads| threads >= 1));
        assert!(cpu_seconds().is_some_and(|seconds| (0.0..1e6).contains(&seconds)));
    }
}
