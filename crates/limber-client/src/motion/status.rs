//! Status of a job, from a client's point of view.

use limber_api::motion::{Message, StatusDetails, StatusEntry, WireStatus};

/// Status of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobStatus {
    /// Waiting for a worker.
    Queued {
        /// Position in the queue; 1 is next.
        position: u32,
    },
    /// Claimed by a worker.
    Running {
        /// Steps completed.
        step: u32,
        /// Total number of steps, at least 1.
        total: u32,
    },
    /// Failed; the service will retry it.
    Retrying(FailureCause),
    /// Finished successfully.
    Succeeded {
        /// Names of the files.
        files: Vec<String>,
    },
    /// Failed permanently.
    Failed(FailureCause),
    /// Cancelled by the user or the operator.
    Cancelled,
}

/// Why a job failed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FailureCause {
    /// Numeric error codes of the specification.
    pub codes: Vec<u16>,
    /// `PipelineError`, `Timeout`, `CreditError`, `InputError`, `InternalError`.
    pub kind: String,
    /// What happened, to what, and what to do about it.
    pub text: String,
    /// The same as data, if the service knows more than the text.
    pub messages: Vec<Message>,
}

impl JobStatus {
    /// Returns whether the status will not change any more.
    #[must_use]
    pub const fn is_final(&self) -> bool {
        matches!(self, Self::Succeeded { .. } | Self::Failed(_) | Self::Cancelled)
    }
}

impl From<StatusEntry> for JobStatus {
    fn from(entry: StatusEntry) -> Self {
        match (entry.status, entry.details) {
            (WireStatus::Progress, StatusDetails::Progress { step, total }) => {
                match entry.position_in_queue {
                    Some(position) if position > 0 => Self::Queued { position },
                    _ => Self::Running { step, total: total.max(1) },
                }
            }
            (WireStatus::Progress, _) => Self::Running { step: 0, total: 100 },
            (WireStatus::Success, StatusDetails::Files { out, .. }) => {
                Self::Succeeded { files: out }
            }
            (WireStatus::Success, _) => Self::Succeeded { files: Vec::new() },
            (WireStatus::Retry, details) => Self::Retrying(cause(details)),
            (WireStatus::Failure, StatusDetails::Failed { exc_type, .. })
                if exc_type == "Cancelled" =>
            {
                Self::Cancelled
            }
            (WireStatus::Failure, details) => Self::Failed(cause(details)),
        }
    }
}

fn cause(details: StatusDetails) -> FailureCause {
    let StatusDetails::Failed { exc_message, exc_type, exc_text, messages } = details else {
        return FailureCause::default();
    };
    let codes: Vec<u16> = exc_message.iter().filter_map(|code| code.parse().ok()).collect();
    let text =
        exc_text.unwrap_or_else(|| format!("the job failed with code {}", exc_message.join(", ")));
    FailureCause { codes, kind: exc_type, text, messages }
}

#[cfg(test)]
mod tests {
    use limber_api::motion::JobId;

    use super::*;

    fn read(json: &str) -> JobStatus {
        let entry: StatusEntry = serde_json::from_str(json).expect("the entry can be parsed");
        assert_eq!(entry.rid, JobId::parse("0123456789abcdef").expect("the job id is valid"));
        entry.into()
    }

    #[test]
    fn every_wire_status_becomes_a_state() {
        let rid = r#""rid":"0123456789abcdef""#;
        assert_eq!(
            read(&format!(
                r#"{{{rid},"status":"PROGRESS","details":{{"step":0,"total":100}},"positionInQueue":3}}"#
            )),
            JobStatus::Queued { position: 3 }
        );
        assert_eq!(
            read(&format!(
                r#"{{{rid},"status":"PROGRESS","details":{{"step":41,"total":100}},"positionInQueue":0}}"#
            )),
            JobStatus::Running { step: 41, total: 100 }
        );
        assert_eq!(
            read(&format!(r#"{{{rid},"status":"SUCCESS","details":{{"In":[],"out":["a.glb"]}}}}"#)),
            JobStatus::Succeeded { files: vec!["a.glb".into()] }
        );
        assert_eq!(
            read(&format!(
                r#"{{{rid},"status":"FAILURE","details":{{"exc_message":[],"exc_type":"Cancelled"}}}}"#
            )),
            JobStatus::Cancelled
        );
        let failed = read(&format!(
            r#"{{{rid},"status":"FAILURE","details":{{"exc_message":["607"],"exc_type":"PipelineError","exc_text":"why"}}}}"#
        ));
        assert_eq!(
            failed,
            JobStatus::Failed(FailureCause {
                codes: vec![607],
                kind: "PipelineError".into(),
                text: "why".into(),
                messages: Vec::new()
            })
        );
    }
}
