//! Why a request is refused.

/// A refused request: what its error body says.
#[derive(Debug, PartialEq)]
pub(crate) struct RequestError {
    /// The HTTP status.
    pub(crate) status: u16,
    /// The message for the client. It names the field.
    pub(crate) message: String,
    /// The path of the invalid field, such as `messages[0].role`. Messages does not send it.
    pub(crate) param: Option<String>,
    /// A name for the error, such as `unknown_url`. Messages does not send it.
    pub(crate) code: Option<&'static str>,
}

impl RequestError {
    /// An invalid request: status 400.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::with_status(400, message)
    }

    /// A request that is refused with this status.
    pub(crate) fn with_status(status: u16, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            param: None,
            code: None,
        }
    }

    /// Sets the path of the invalid field.
    pub(crate) fn at(mut self, param: impl Into<String>) -> Self {
        self.param = Some(param.into());
        self
    }

    /// Sets the name of the error.
    pub(crate) fn code(mut self, code: &'static str) -> Self {
        self.code = Some(code);
        self
    }
}
